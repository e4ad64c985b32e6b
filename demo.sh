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
show() { # ARGUMENTS...: the command line, then what it prints
    printf '\n$ build/assay'
    for word in "$@"; do
        case $word in
        *[!a-zA-Z0-9_./-]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    build/assay "$@"
}
build/assay demo --out demo-out || exit
show scan demo-out '[tensorflow] and hasaccepted:no' --count &&
    show scan demo-out 'title:~"how to" and score>5' --limit 5 &&
    show scan demo-out '[keras] or [pytorch]' --by year || exit
mkdir -p demo-out/study
cat >demo-out/study/study.yaml <<'EOT'
study: demo
title: Deployment of deep-learning software
source:
  stackexchange: ..
sets:
  B: '[tensorflow] or [keras] or [pytorch] or [theano] or [caffe]'
  mobile: '(in:B and prose:(mobile or android or ios)) or [tensorflow-lite] or [coreml]'
  other: 'in:B and not in:mobile'
EOT
show ingest demo-out/study
