#!/bin/sh
# Installs what is missing, builds assay and shows what it does.
cd "$(dirname "$0")" || exit 2
tools/setup build || exit
make --no-print-directory -j"$(nproc)" all >build.log 2>&1 || {
    cat build.log
    echo "demo.sh: assay did not build; the compiler's words are above" >&2
    exit 1
}
rm -f build.log
exec build/assay demo --out demo-out
