#!/bin/sh
# Installs what is missing and runs every test. The last line counts them.
cd "$(dirname "$0")" || exit 2
tools/setup build test || exit
tools/setup browser || echo "test.sh: without Chromium the tests of pages are skipped" >&2
# A server is nothing to put on a machine unasked; without it its tests are skipped.
[ -z "${CI-}" ] || tools/setup engine || echo "test.sh: without clickhouse-server the tests of servers are skipped" >&2
exec tests/run
