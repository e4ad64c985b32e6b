#!/bin/sh
# Installs what is missing and runs every test. The last line counts them.
cd "$(dirname "$0")" || exit 2
tools/setup build test && exec tests/run
