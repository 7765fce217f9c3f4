# A release as one file: docs/releasing.md.
VERSION := $(shell cat VERSION)
# The playground's module goes along, for those who have no compiler for it (docs/playground/wasm.sh).
PLAY_MODULE := $(BUILD)/sim/docs/play.js
with_module = $$(grep -q 'missing: ""' $(PLAY_MODULE) && \
    echo --prefix=umlab-$1/docs/playground/ --add-file=$(PLAY_MODULE))
DIST := $(BUILD)/umlab-$(VERSION).tar.gz

## Release
##   dist                build/umlab-VERSION.tar.gz: the last commit's files, the same bytes whenever that is the same
.PHONY: dist
dist:
	@git rev-parse -q --verify HEAD >/dev/null 2>&1 && [ "$$(git rev-parse --show-toplevel)" = "$$(pwd -P)" ] || { \
	    echo "make dist: it packs what git has committed, so it needs git and a clone; this folder is none" >&2; exit 2; }
	@git diff --quiet HEAD || echo "make dist: changes that are not committed are not in it" >&2
	@mkdir -p $(BUILD)
	@$(MAKE) -s BACKEND=sim $(PLAY_MODULE) >&2
	@git archive --format=tar $(call with_module,$(VERSION)) --prefix=umlab-$(VERSION)/ HEAD | gzip -9n >$(DIST).part && \
	    mv $(DIST).part $(DIST)
	@echo $(DIST)

##   deb                 build/umlab_VERSION-1_ARCH.deb, of the same files, and what lintian says of it
.PHONY: deb
deb: dist
	@packaging/deb.sh $(DIST) $(BUILD)
