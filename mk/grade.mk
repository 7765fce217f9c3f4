# Exercises and their grading: docs/grading.md.
G := $(B)/grade
GRADED_LABS := $(foreach d,$(LAB_DIRS),$(if $(wildcard $d/grade/checks.c),$(call lab_of,$d)))
# The lab that LAB=N names, as one of ours: lab3; nothing when it is none. Only this may become text of a command.
GRADE_LAB := $(if $(or $(word 2,$(LAB)),$(findstring %,$(LAB))),,$(filter $(LAB) lab$(LAB),$(GRADED_LABS)))
GRADE_DIR = $(firstword $(wildcard labs/$(GRADE_LAB)_*))

# What the sandbox shows: the fork server, and kernels that mix what they store with the grader's key
# (umsim/keyed_value.h), and have each of their accesses looked at (sim/grading/bounds.h). A real AddressSanitizer does
# not go together with that. --plain: a transformed kernel also reads what the library keeps on the worker's stack. The
# kernels that only set values, or copy them, are left out: cudaMemset() or cudaMemcpy() in their place has to give the
# same.
KEYED := --keyed --keyed-except um_fill_kernel,um_page_write_kernel,um_copy_wide_kernel,um_copy_bytes_kernel
asan_param = -Xcompiler --param$(comma)asan-$1
BOUNDED := $(if $(filter address,$(SANITIZE)),,--plain -Xcompiler -fsanitize=kernel-address \
    $(call asan_param,instrumentation-with-call-threshold=0) $(call asan_param,stack=0) $(call asan_param,globals=0))
$(B)/obj/graded/%.o: %.cu $(COMPILER) Makefile mk/backend.mk mk/grade.mk | $(LINKS)
	$(call say,CUDA,$< (graded))
	$(Q)$(CUDA_CC) $(KEYED) $(BOUNDED) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<
$(G)/sandbox/libumlab.so: $(call objects,$(sort $(wildcard common/*.c))) \
    $(patsubst %.cu,$(B)/obj/graded/%.o,$(KERNELS)) $(TOOLCHAIN)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(CUDA_CC) -shared -o $@ $(filter $(B)/obj/%.o,$^) -lcjson \
	    -Xlinker -rpath,'$$ORIGIN/../../lib' -Xlinker -z,now
FORK_SERVER := grade/umforkserver.c grade/children.c grade/descriptors.c
$(G)/sandbox/umforkserver: $(call objects,$(FORK_SERVER)) $(G)/sandbox/libumlab.so
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -Wl,--no-as-needed -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../../lib' -o $@ $(filter %.o,$^) \
	    -L$(G)/sandbox -L$(B)/lib -lumlab -lumsim
# The harness is a client: its libumsim.so is the other one, and comes first.
STUDENT := grade/student_process.c grade/conversation.c grade/confine.c grade/descriptors.c
$(G)/sandbox/libumstudent.so: $(call objects,$(STUDENT)) $(CLIENT)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -shared -Wl,--no-undefined -Wl,-z,now -o $@ $(filter %.o,$^) -L$(dir $(CLIENT)) -lumsim -ldl
$(G)/sandbox/umharness: $(call objects,grade/umharness.c grade/children.c) $(G)/sandbox/libumlab.so \
    $(G)/sandbox/libumstudent.so
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -Wl,--no-as-needed -Wl,-rpath,'$$ORIGIN/client:$$ORIGIN' -o $@ $(filter %.o,$^) \
	    -L$(dir $(CLIENT)) -L$(G)/sandbox -lumsim -lumstudent -lumlab -ldl

# A lab's calls.c, which the harness loads, and what each submission begins with.
define calls
$(G)/sandbox/$2.so: $(call objects,$1/grade/calls.c) $(G)/sandbox/libumlab.so $(G)/sandbox/libumstudent.so
	$$(call say,LINK)
	$$(Q)$$(INTO) $$@ $$(LINK) -shared -Wl,--no-undefined -Wl,-z,now -o $$@ $$(filter %.o,$$^) \
	    -L$(dir $(CLIENT)) -L$(G)/sandbox -lumstudent -lumlab -lumsim -lm
endef
$(foreach d,$(LAB_DIRS),$(eval $(call calls,$d,$(call lab_of,$d))))
$(eval $(call calls,grade/canary,canary))
$(G)/sandbox/start.o: $(call objects,grade/start.c)
	$(call say,COPY)
	$(Q)$(INTO) $@ cp $< $@

# The grader. Checks are loaded into it, and find its functions there.
UMGRADE_SRC := $(sort $(filter-out grade/umforkserver.c grade/umharness.c grade/student_process.c grade/children.c \
    grade/conversation.c grade/confine.c grade/start.c,$(wildcard grade/*.c)))
$(B)/obj/grade/%.o: EXTRA_INCLUDES := -Igrade
$(G)/umgrade: $(call objects,$(UMGRADE_SRC) $(wildcard sim/model/*.c sim/uvm/*.c sim/price/*.c))
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -rdynamic -o $@ $^ -lcunit -lcjson -lm -ldl
# A lab's checks are all .c files of its grade/ but calls.c, which runs in the sandbox.
define checks
$(G)/$2.so: $(call objects,$(sort $(filter-out %/calls.c,$(wildcard $1/grade/*.c))))
	$$(call say,LINK)
	$$(Q)$$(INTO) $$@ $$(LINK) -shared -o $$@ $$^ -lm
endef
$(foreach d,$(LAB_DIRS),$(eval $(call checks,$d,$(call lab_of,$d))))

# Real GPUs have no ledger: on any machine, grading is the simulator's.
## Grade
##   grade LAB=N         grades labs/labN_*/exercise.c, or SUBMISSION=DIR's: what is right, what is wrong and why;
##                       SEED=n
.PHONY: grade graders
graders: $(G)/umgrade $(G)/sandbox/umforkserver $(G)/sandbox/umharness $(GRADED_LABS:%=$(G)/%.so) \
    $(GRADED_LABS:%=$(G)/sandbox/%.so) $(G)/sandbox/canary.so $(G)/sandbox/start.o $(TOOLCHAIN) | $(LINKS)
	@:
ifneq ($(BACKEND),sim)
grade mutants fair hostile:
	@$(MAKE) BACKEND=sim $@
else
# The course's seed, unless SEED says another. By the environment: arguments can be read in /proc, by submissions too.
ifneq ($(SEED),)
grade: export UMLAB_SEED := $(SEED)
endif
# What is no lab is said before anything is built.
grade: $(if $(GRADE_LAB),graders)
	@test -n '$(GRADE_LAB)' || { echo "LAB=N: there are $(GRADED_LABS)" >&2; exit 2; }
	@test -z "$$PROFILE" || test -f "$$PROFILE" || test -f "profiles/$$PROFILE.json" || { \
	    echo "PROFILE=$$PROFILE: there are $(basename $(notdir $(wildcard profiles/*.json))), or a file" >&2; exit 2; }
	@mkdir -p $(BUILD)/grade
	@$(G)/umgrade --lab $(GRADE_LAB) --lab-dir $(GRADE_DIR) --checks $(G)/$(GRADE_LAB).so --root . --build $(B) \
	    --out $(BUILD)/grade $(if $(SUBMISSION),--submission "$$SUBMISSION") \
	    $(if $(PROFILE),--profile "$$PROFILE") $(if $(SANDBOX),--sandbox "$$SANDBOX")

# BEGIN HIDDEN
##   mutants             wrong submissions fail where they say, solutions have full marks; ARGS="lab1 lab3/never"
##   fair                right solutions that are unusual have full marks; ARGS="lab1 lab3/host_functions"
##   hostile             submissions that mean harm do none; ARGS="--sandbox own forks"
.PHONY: mutants fair hostile
mutants fair hostile: graders
	@$(PYTHON) tests/$@/run.py --build $(B) $(ARGS)
# END HIDDEN
endif
# BEGIN HIDDEN
ifeq ($(BACKEND)$(SANITIZE),sim)
tests-slow test-long: graders
SLOW_SCRIPTS += tests/hostile/run.py
# That was the best sandbox; these are the others but the last, which has limits only.
HOSTILE_ELSEWHERE := $(patsubst %,'script:tests/hostile/run.py --sandbox %',own own@--no-landlock own@--user@65534 \
    bubblewrap@--user@65534)
HOSTILE_ELSEWHERE := $(subst @, ,$(HOSTILE_ELSEWHERE))
PART_TESTS = $(foreach l,$(GRADED_LABS),'script:tests/mutants/run.py --sample 10 $l') \
    'script:tests/fair/run.py --sample 4'
endif
# END HIDDEN
