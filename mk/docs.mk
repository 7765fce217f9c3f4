# The documentation site: pages from docs/, READMEs and headers, with what the build's own programs print. Not in a
# handout.
SITE := $(BUILD)/docs
EXAMPLES := $(sort $(basename $(notdir $(wildcard docs/examples/*.cu))))
X := $(B)/docs

# Snippets on the pages come from these programs; tests/python/docs_examples.py runs them.
$(X)/%: docs/examples/%.cu docs/examples/check.h $(TOOLCHAIN) | $(LINKS)
	$(call say,CUDA,$<)
	$(Q)$(INTO) $@ $(CUDA_CC) -o $@ $< $(addprefix -Xlinker -rpath$(comma),$(LIB_RPATH:%=$(CUDA_LIB)))

## Site
##   docs                guides, labs and API reference: build/docs/html/index.html; a warning is an error
.PHONY: docs examples
examples tests: $(addprefix $(X)/,$(EXAMPLES))
examples:
	@:
ifneq ($(BACKEND),sim)
docs:
	@$(MAKE) BACKEND=sim $@
else
# What a page draws of the paging policy, it asks the policy.
$(X)/tree: $(call objects,docs/diagrams/tree.c $(wildcard sim/uvm/*.c))
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -o $@ $^
built: $(X)/tree
$(B)/obj/docs/diagrams/%.o: EXTRA_INCLUDES := -Isim
# The playground: the policy and the costs, with a front of their own; for tests as a program, for the page as a module.
PLAY := $(addprefix docs/playground/,scenario.c play.c account.c find_profile.c) \
    $(wildcard sim/uvm/*.c sim/model/cost*.c)
PLAY_PROFILES := h200-pcie5 $(filter-out h200-pcie5,$(basename $(notdir $(wildcard profiles/*.json))))
$(B)/obj/docs/playground/%.o: EXTRA_INCLUDES := -Isim -Idocs/playground
$(X)/profiles: $(call objects,docs/playground/profiles.c $(wildcard sim/model/profile*.c))
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -o $@ $^ -lcjson -lm
$(X)/play_profiles.c: $(X)/profiles $(wildcard profiles/*.json)
	$(call say,MAKE)
	$(Q)$(INTO) $@ sh -c '"$$0" profiles $(PLAY_PROFILES) >"$$1"' $< $@
$(B)/obj/docs/play_profiles.o: $(X)/play_profiles.c
	$(call say,CC)
	$(Q)$(INTO) $@ $(COMPILE) -Isim -Idocs/playground -MF $(@:.o=.d) -MT $@ -c -o $@ $<
$(X)/play: $(call objects,$(PLAY) docs/playground/main.c) $(B)/obj/docs/play_profiles.o
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -o $@ $^ -lm
$(X)/play.js: docs/playground/wasm.sh $(PLAY) docs/playground/exports.c $(X)/play_profiles.c \
    $(wildcard docs/playground/*.h sim/uvm/*.h sim/model/*.h)
	$(call say,WASM)
	$(Q)$(INTO) $@ docs/playground/wasm.sh $@ $(X)/play.wasm -Isim -Isim/include -I. -Idocs/playground $(filter %.c,$^)
built: $(X)/play $(X)/play.js
# The table of `make fidelity`, made anew when the simulator or a profile has changed.
$(BUILD)/fidelity/fidelity.md: $(T)/fidelity $(B)/lib/libumsim.so tests/fidelity/fidelity.py \
    $(wildcard profiles/*.json tests/fidelity/measured/*.json)
	@mkdir -p $(SITE)
	@$(PYTHON) tests/fidelity/fidelity.py --backend sim --out $(@D) $< > $(SITE)/fidelity.log || \
	    { tail -n 3 $(SITE)/fidelity.log >&2; exit 1; }
# A figure for each lab, from its own results.
# The largest size is the one that the lab's table has without arguments.
DOC_SIZES_lab1 := 64K 1M 16M 64M
DOC_SIZES_lab3 := 64K 1M 16M 32M
DOC_SIZES_lab4 := 64K 1M 16M
DOC_PROFILE_lab10 := h200-nvlink2
DOC_RUNS := $(foreach lab,$(LABS),$(if $(DOC_SIZES_$(lab)),$(addprefix $(lab):,$(DOC_SIZES_$(lab))),$(lab)))
$(SITE)/figures.made: $(addprefix $(B)/,$(LABS)) $(wildcard report/*.py)
	@rm -rf $(SITE)/data $(SITE)/figures && mkdir -p $(SITE)/data $(SITE)/figures
	@for run in $(DOC_RUNS); do lab=$${run%%:*}; size=$${run#$$lab}; name=$(SITE)/data/$$lab-sim$${size:+-$${size#:}}; \
	    case $$lab in lab10) profile=$(DOC_PROFILE_lab10);; *) profile=;; esac; \
	    UMSIM_TRACE=$$name.jsonl $(B)/$$lab --quiet $${size:+--size $${size#:}} $${profile:+--profile $$profile} \
	    --json $$name.json > /dev/null 2>&1 || [ $$? = 2 ] || exit 1; done
	@$(PYTHON) report/lab_figures.py --out $(SITE)/figures $(SITE)/data > /dev/null && touch $@
docs: all examples $(T)/conformance $(X)/tree $(X)/play.js $(BUILD)/fidelity/fidelity.md $(SITE)/figures.made
	@$(PYTHON) docs/diagrams/draw.py --tree $(X)/tree --out $(SITE)/diagrams
	@$(PYTHON) docs/site/stage.py --build $(BUILD) --out $(SITE)/pages
	@rm -rf $(SITE)/html
	@{ cat docs/Doxyfile; echo 'INPUT += $(SITE)/pages/ $(wildcard labs/lab*/exercise.h)'; \
	    echo 'FILE_PATTERNS += *.md'; echo 'PROJECT_NUMBER = $(VERSION)'; echo 'OUTPUT_DIRECTORY = $(SITE)'; \
	    echo 'HTML_HEADER = $(SITE)/pages/header.html'; echo 'HTML_FOOTER = $(SITE)/pages/footer.html'; \
	    echo 'IMAGE_PATH = $(BUILD)/fidelity'; echo 'HTML_EXTRA_FILES += $(X)/play.js'; } | doxygen -
	@$(PYTHON) docs/site/finish.py --html $(SITE)/html
	@echo $(SITE)/html/index.html
endif
