# make            build/assay
# make demo       simulate a corpus and show what is in it
# make test       every test; the last line counts them (./test.sh also installs packages)
# make test-long  the same with what takes long: see ASSAY_LONG in tests/
# make bench      our speed beside that of named peers, on one file, in one run
# make manual     manual pages below build/man (man -l build/man/assay.1)
# make install    into PREFIX (default /usr/local), with manual pages and completion
# make deb        a Debian package: build/assay_VERSION_ARCHITECTURE.deb
# make fuzz-NAME  fuzz one target with clang's libFuzzer, until stopped
# make accept     rewrite golden expectations; read the diff before committing
comma    := ,
MODE     ?= release
PREFIX   ?= /usr/local
CC       ?= cc
# Clang builds for its warnings alone, and races and slips are found without the last optimisations:
# all of these compile in half the time or less.
CFLAGS   ?= $(or $(OPTIMISE_$(MODE)),-O2 -g)
OPTIMISE_check = -O1 -g1
OPTIMISE_tsan  = -O1 -g1
OPTIMISE_clang = -O0
WARNINGS  = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wvla -Wwrite-strings -Wundef -Werror
SANITIZE  = $(if $(filter check,$(MODE)),-fsanitize=address$(comma)undefined \
            -fno-sanitize-recover=all -fno-omit-frame-pointer) \
            $(if $(filter tsan,$(MODE)),-fsanitize=thread)
# Programs that are tested share a library; see LINK_TEST.
SHARED    = $(if $(filter-out release,$(MODE)),-fPIC -fno-semantic-interposition)
# Results must not depend on whether a processor fuses a multiplication with an addition.
override CFLAGS += -std=c11 -D_XOPEN_SOURCE=700 -Isrc -I. -MMD -MP -pthread \
            -ffp-contract=off $(WARNINGS) $(SANITIZE) $(SHARED)
LDLIBS   += -larchive -lbz2 -lcurl -lexpat -lfyaml -ldeflate -lgit2 -lgsl -llz4 -llzma -lmd4c -lmicrohttpd -lpcre2-8 -lsqlite3 -lstemmer -lxxhash -lz \
            -lzstd $(HYPERSCAN) -lm

# Figures: Cairo and Pango say themselves where their headers and libraries are; GLib, which
# they stand on, gives SHA-1.
FIGURES  := $(shell pkg-config --cflags pangoft2 pangocairo cairo-svg cairo-pdf glib-2.0)
override CFLAGS += $(FIGURES)
LDLIBS   += $(shell pkg-config --libs pangoft2 pangocairo cairo-svg cairo-pdf fontconfig glib-2.0)

# Keywords go through Hyperscan where the machine has it (amd64); the rest is our own.
HYPERSCAN := $(if $(wildcard /usr/include/hs/hs.h /usr/include/hs.h),-lhs)

# Starting with some 80 libraries takes longer than most commands: tools/late makes of a program that is
# linked with all of them, for which the package's dependencies are asked, one that opens what it uses.
LATE     := $(if $(filter release,$(MODE)),$(filter x86_64-%-gnu,$(shell $(CC) -dumpmachine)))

GOLD     := $(if $(shell command -v ld.gold),-fuse-ld=gold)
OUT      := build/$(MODE)
GRAMMAR  := $(sort $(wildcard src/synth/grammar/*.txt))
ASSETS   := $(wildcard src/report/assets/*)
PROSE    := $(sort $(wildcard src/report/prose/*.txt))
WEB      := $(sort $(wildcard src/web/*))
KATEX    := /usr/share/javascript/katex
SET      := $(KATEX)/katex.min.js $(KATEX)/katex.min.css $(sort $(wildcard $(KATEX)/fonts/*.woff2))
TEMPLATES := $(sort $(wildcard studies/minimal/*.yaml studies/*/study.yaml studies/*/demo.yaml \
            studies/*/codebooks/*.yaml studies/*/codebooks/*.csv studies/*/phrases.csv studies/*/*-read.csv \
            studies/*/simulated/*.csv))
PAGES    := $(sort $(wildcard man/*))
HELP     := $(sort $(wildcard src/cmd/prose/*.txt))
MODULES  := $(wildcard src/*/*.c)
OBJECTS  := $(MODULES:%.c=$(OUT)/%.o) $(OUT)/embedded.o
TESTS    := $(patsubst tests/%.c,$(OUT)/tests/%,$(wildcard tests/unit/*.c tests/property/*.c))
FUZZERS  := $(filter-out replay,$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
THREADED := $(filter %/base_parallel %/synth_write %/dump_select %/dump_scan %/dump_ingest \
            %/input_stream %/serve_aside %/query_threads %/learn_apply %/learn_judge \
            %/topic_lda %/topic_sweep %/source_commits %/git_packed,$(TESTS))

all: build/assay
build/assay: $(OUT)/assay
	@ln -f $< $@
program: $(OUT)/assay
$(OUT)/libassay.a: $(OBJECTS)
	@rm -f $@
	@ar rcs $@ $^
# What is tested is linked once, for all tests: each by itself takes longer to link than to run.
$(OUT)/libassay.so: $(OBJECTS)
	@echo "  link  $@"
	@$(CC) $(CFLAGS) -shared -Wl,-Bsymbolic-functions $^ $(LDFLAGS) $(LDLIBS) -o $@
$(OUT)/$(if $(LATE),linked,assay): $(OUT)/src/main.o $(OUT)/libassay.a
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $^ $(LDFLAGS) $(LDLIBS) -o $@
ifneq ($(LATE),)
# Nothing that is .SECONDARY, as all is (below), is made again only because it is gone.
LATE_GONE := $(if $(and $(wildcard $(OUT)/late.c),$(wildcard $(OUT)/kept)),,FORCE)
$(OUT)/late.c $(OUT)/kept &: $(OUT)/linked tools/late
	@tools/late $< $(OUT)/kept.part >$(OUT)/late.c.part
	@mv $(OUT)/kept.part $(OUT)/kept
	@mv $(OUT)/late.c.part $(OUT)/late.c
$(OUT)/assay: $(OUT)/src/main.o $(OUT)/late.o $(OUT)/libassay.a $(OUT)/kept $(LATE_GONE)
	@echo "  link  $@"
	@$(CC) $(CFLAGS) $(filter-out %/kept FORCE,$^) $(LDFLAGS) $$(sed 's/^/-l:/' $(OUT)/kept) -lm -o $@
endif
# There are some 400, and GNU's other linker takes a sixth of the time where it is there.
LINK_TEST = $(CC) $(CFLAGS) $^ $(LDFLAGS) $(GOLD) -L$(OUT) -Wl,-rpath,$(abspath $(OUT)) -lassay $(LDLIBS) -ljansson -o $@
$(OUT)/tests/%: $(OUT)/tests/%.o $(OUT)/tests/tap.o | $(OUT)/libassay.so
	@mkdir -p $(@D)
	@echo "  link  $@"
	@$(LINK_TEST)
$(OUT)/replay-%: $(OUT)/tests/fuzz/%.o $(OUT)/tests/fuzz/replay.o | $(OUT)/libassay.so
	@echo "  link  $@"
	@$(LINK_TEST)
# What unit tests themselves compute is little.
$(OUT)/tests/unit/%.o: override CFLAGS += -O0
# Joining what it keeps in registers into vectors makes the loop over values a third longer.
$(OUT)/src/input/json.o: override CFLAGS += -fno-tree-slp-vectorize
# What was compiled with other flags is compiled again.
FLAGS    := $(CC) $(CFLAGS)
$(OUT)/flags: FORCE
	@mkdir -p $(@D)
	@echo "$(FLAGS)" | cmp -s - $@ || echo "$(FLAGS)" >$@
FORCE:
$(OUT)/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	@echo "  cc    $@"
	@$(CC) $(CFLAGS) -c $< -o $@
$(OUT)/late.o: $(OUT)/late.c $(OUT)/flags $(LATE_GONE)
	@echo "  cc    $@"
	@$(CC) $(CFLAGS) -c $< -o $@
$(OUT)/embedded.o: build/embedded.c $(OUT)/flags
	@mkdir -p $(@D)
	@echo "  cc    $@"
	@$(CC) $(CFLAGS) -c $< -o $@
build/embedded.c: $(GRAMMAR) $(ASSETS) $(PROSE) src/text/entities.txt src/phrase/wordnet.txt \
                  $(WEB) $(SET) src/store/schema.sql src/store/labels.sql $(TEMPLATES) $(PAGES) \
                  $(HELP) tools/embed tools/bundle
	@mkdir -p $(@D)
	@tools/bundle studies $(TEMPLATES) >build/templates
	@tools/bundle man $(PAGES) >build/pages
	@tools/bundle src/cmd/prose $(HELP) >build/prose
	@(tools/bundle src/web $(WEB) && tools/bundle $(KATEX) $(SET)) >build/web
	@(tools/embed synth_grammar_text $(GRAMMAR) && \
	  tools/embed cmd_templates build/templates && \
	  tools/embed cmd_pages build/pages && \
	  tools/embed cmd_prose build/prose && \
	  tools/embed report_style src/report/assets/report.css src/web/diff.css && \
	  tools/embed report_script src/report/assets/report.js && \
	  tools/embed report_handbook_css src/report/assets/report.css src/report/assets/handbook.css && \
	  tools/embed report_handbook_js src/report/assets/handbook.js && \
	  tools/embed report_prose_parts $(PROSE) && \
	  tools/embed text_entities src/text/entities.txt && \
	  tools/embed phrase_wordnet_rows src/phrase/wordnet.txt && \
	  tools/embed serve_web build/web && \
	  tools/embed store_labels_sql src/store/labels.sql && \
	  tools/embed store_schema_sql src/store/schema.sql) >$@.part && mv $@.part $@

demo: all
	build/assay demo --out demo-out
test:
	@tests/run
test-long:
	@ASSAY_LONG=1 tests/run
check-programs: $(OUT)/assay $(TESTS) $(FUZZERS:%=$(OUT)/replay-%)
tsan-programs: $(THREADED)
bench: all
	tools/bench build/assay
	if [ -n "$$ASSAY_DATA" ]; then tools/bench_learn build/assay; fi
	tools/bench_topics build/assay
	tools/label_load build/assay
	tools/bench_sources build/assay
fuzz-%: build/embedded.c
	@mkdir -p build
	clang -g -O1 -std=c11 -D_XOPEN_SOURCE=700 -Isrc -I. -pthread -ffp-contract=off $(FIGURES) \
	  -fsanitize=fuzzer,address,undefined \
	  tests/fuzz/$*.c $(MODULES) build/embedded.c $(LDLIBS) -ljansson \
	  -o build/fuzz-$*
	build/fuzz-$* $(FUZZFLAGS) tests/fuzz/corpus/$*
accept:
	@$(MAKE) --no-print-directory MODE=check program
	tests/run_golden build/check/assay --accept

COMMANDS = $(shell build/assay help | awk '/^commands:/ {on = 1; next} /^$$/ {on = 0} on && /^  [a-z]/ {print $$1}')
manual: all
	@mkdir -p build/man
	@build/assay help --man >build/man/assay.1
	@for name in $(COMMANDS); do build/assay help --man $$name >build/man/assay-$$name.1; done
	@cp man/* build/man/
	@build/assay help --man source >build/man/assay-source.7
	@build/assay help --man study >build/keys.roff
	@sed -e '/^\.\\" KEYS$$/{r build/keys.roff' -e 'd;}' man/assay-study.5 >build/man/assay-study.5
install: manual
	install -D build/assay "$(DESTDIR)$(PREFIX)/bin/assay"
	for page in build/man/*; do install -D -m 644 $$page \
	  "$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}" || exit 1; done
	mkdir -p "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions"
	build/assay completion bash >"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/assay"
	build/assay completion zsh >"$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_assay"
deb: all
	@tools/deb
clean:
	rm -rf build demo-out
.PHONY: all program demo test test-long check-programs tsan-programs bench accept manual install deb clean FORCE
.SECONDARY:
-include $(shell find build/$(MODE) -name '*.d' 2>/dev/null)
