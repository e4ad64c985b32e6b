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
show demo --out demo-out &&
    show scan demo-out/dump/Posts.xml '[tensorflow] and hasaccepted:no' --count &&
    show scan demo-out/dump/Posts.xml 'title:~"how to" and score>5' --limit 5 &&
    show scan demo-out/dump/Posts.xml '[keras] or [pytorch]' --by year &&
    show scan demo-out/dump/repositories 'title:fix* and path:model.py and imports:keras' --by repo || exit
# A condition more in one set: what rests on it would be made again, and nothing else.
study=demo-out/chen2020/study.yaml
printf '\n# %s, with score:0.. added to the set D-words; what is not fresh:' "$study"
cp "$study" "$study.before"
sed "s/^  D-words: 'in:B and /&score:0.. and /" "$study.before" >"$study"
show plan demo-out/chen2020 | grep -v '^fresh'
mv "$study.before" "$study"
show verify demo-out/liu2023 --quiet || exit
show handbook demo-out/zhang2019 --quiet &&
    show ask demo-out/zhang2019 'ValueError: Dimensions must be equal' --top 3 --quiet || exit
printf '\nOpen demo-out/index.html in a browser: figures of all four studies, and the way to their\n'
printf 'reports, where numbers lead to the posts behind them; and\n'
printf 'demo-out/zhang2019/out/handbook/index.html: what was found, for those who ask.\n'
