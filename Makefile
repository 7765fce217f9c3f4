# umlab: labs about where memory lives when a program uses a GPU. `make help` lists the targets.
# Folders are searched by wildcards: a new file in one is built without a change here.

# What a user names is data: make expands a variable of its command line, and would run a folder called $(shell ...).
# These are taken as they were written. Recipes say "$$X" (the shell's variable), never $(X), which would be shell text.
RAW := LAB SUBMISSION SUBMISSIONS OUT CHECK ANSWERS PROFILE SANDBOX SEED JOBS ENGINE COMPARE NAME RECORD PEERS \
    UMLAB_STATE UMLAB_COURSE UMLAB_SANDBOX TMPDIR
$(foreach x,$(RAW),$(if $(filter-out undefined,$(origin $x)),$(eval override $x := $$(value $x))$(eval export $x)))

MAKEFLAGS += --no-builtin-rules --no-builtin-variables --no-print-directory
# As many compilers at a time as there are processors; several targets are done one after another, in their order.
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif
ifneq ($(word 2,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

CC := gcc
CXX := g++
# Runs what was built for another processor (tests/arm64/run.py).
EMULATOR :=
PYTHON := $(or $(wildcard .venv/bin/python3),python3)
NO_BACKEND_GOALS := help clean docs examples lint tidy format cross parity which-nvcc docker-steps hint predict \
    progress gradescope handout solutions dist internals layers test-arm64
include mk/backend.mk

Q := $(if $(V),,@)
# Makes a target whole or not at all.
INTO = sh mk/into.sh
say = @mkdir -p $(@D)$(if $(V),,; printf '  %-5s %s\n' '$1' '$(or $2,$@)')

# _FORTIFY_SOURCE would take the simulator's jumps between stacks for an attack. -D_GNU_SOURCE= (empty) lets a file
# define it once more. No fused multiply-add: the clock's digits must not depend on the processor. -z now: lazy binding
# in the GPU process would read memory that is closed there.
CFLAGS := -O2 -g
COMPILE = $(CC) -std=gnu11 -D_GNU_SOURCE= -U_FORTIFY_SOURCE -ffp-contract=off -Wall -Wextra -Werror $(CFLAGS) -fPIC \
    $(SANITIZER) -MMD -MP
INCLUDES = -I. -Icommon -Ikernels $(API)
LINK = $(CC) $(CFLAGS) $(SANITIZER) -Wl,-z,now
KERNEL_FLAGS := -O3 -g -std=c++17 -I. -Icommon -Ikernels -Werror all-warnings -Xcompiler -fPIC,-Wall,-Wextra
objects = $(patsubst %,$(B)/obj/%.o,$(basename $1))

ifeq ($(BACKEND),sim)
API = -Isim/include -DUMLAB_SIM $(CUDA12) $(PAGE_BYTES)
CUDA12 := $(if $(filter 12,$(CUDA)),-DUMSIM_CUDA12)
# A kernel on NULL is to fault, not to be reported: in the GPU process a sanitizer can say nothing.
# Its own programs count no host work: tests ask what a machine of any speed answers (docs/clocks.md).
CUDA_CC = $(EMULATOR) $(B)/bin/umcc -Xlinker --defsym=umsim_links_program=0 \
    $(KERNEL_FLAGS) $(filter -D%,$(API)) $(addprefix -Xcompiler ,$(SANITIZER)) \
    $(if $(filter undefined,$(SANITIZE)),-Xcompiler -fno-sanitize=null)
COMPILER := $(B)/bin/umcc $(wildcard sim/include/*.h sim/include/*/*.h sim/include/*/*/*.h sim/include/*/*.cuh \
    sim/include/*/*/*.cuh)
# What programs are made with. They need the library to be there, but need not be made anew with it.
TOOLCHAIN := $(COMPILER)
GCC_HEADERS := $(shell g++ -print-file-name=plugin 2>/dev/null)/include
ROWS := $(if $(wildcard $(GCC_HEADERS)/gcc-plugin.h),$(B)/lib/umlab/rows.so)
HEADERS := $(B)/lib/umlab/headers/made
LINKS := $(B)/lib/libumsim.so $(ROWS) $(B)/include $(B)/share/umlab/profiles $(B)/share/umlab/cuda
RUNTIME := -lumsim
# A library of the build finds the simulator beside itself. umcc's own link would add the build's folder.
BESIDE := -cudart none -L$(B)/lib -Xlinker --no-as-needed,-lumsim,--as-needed
else
API := -isystem $(CUDA_INC) -DUMLAB_CUDA
ARCH ?= -gencode arch=compute_90,code=[sm_90,compute_90]
CUDA_CC = $(NVCC) $(KERNEL_FLAGS) $(ARCH) -DUMLAB_CUDA -cudart shared $(VISIBLE_KERNELS)
LIB_RPATH := :$(CUDA_LIB)
# From nvcc 13 on a kernel is hidden in its library unless asked otherwise; C calls ours by name (kernels.h).
VISIBILITY := device-entity-has-hidden-visibility
VISIBLE_KERNELS := $(if $(NVCC),$(if $(shell $(NVCC) --help | grep $(VISIBILITY)),--$(VISIBILITY)=false))
RUNTIME := -L$(CUDA_LIB) -Wl,-rpath,$(CUDA_LIB) -lcudart
endif
comma := ,
LIBS = -L$(B)/lib $(if $(UMLAB),-lumlab) $(RUNTIME) -lcjson -lpthread -lm -ldl

lab_of = $(firstword $(subst _, ,$(notdir $1)))
LAB_DIRS := $(sort $(wildcard labs/lab[0-9]_*)) $(sort $(wildcard labs/lab[0-9][0-9]_*))
LABS := $(basename $(notdir $(wildcard $(foreach d,$(LAB_DIRS),$d/$(call lab_of,$d).c))))
HELLO := $(basename $(notdir $(wildcard labs/hello/hello.c)))
# common/ and kernels/, once there is something in them
# Libraries whose calls are kernels of the simulator's own, with the versions of NVIDIA's. A library libNAME.so is what
# stands in sim/NAME/; libNAME.map lists what programs may call of it.
LIBRARIES := cublas.13 cublasLt.13 curand.10 cusparse.12
# cuFFT's arithmetic is KissFFT's; where that is not installed, there is no libcufft.so.
KISSFFT := $(firstword $(wildcard $(addsuffix /include/kissfft/kissfft.hh,/usr /usr/local)))
LIBRARIES += $(if $(KISSFFT),cufft.12)
LIBRARY_FILES := $(if $(filter sim,$(BACKEND)),$(patsubst %,$(B)/lib/lib%.so,$(basename $(LIBRARIES))))
UMPYTHON := $(if $(filter sim,$(BACKEND)),$(B)/bin/umpython)
# Its own name is not NVIDIA's, so that it never stands before a real driver's; the linker finds it by that.
NVML := $(if $(filter sim,$(BACKEND)),$(B)/lib/libumsim-nvml.so.1)
UMLAB := $(if $(wildcard common/*.c kernels/*.cu),$(B)/lib/libumlab.so)
RUN_ARGS = $(if $(PROFILE),--profile "$$PROFILE") $(ARGS)

## Build
##   all                 the simulator (or what CUDA needs), the shared library, all labs
.PHONY: all
all: $(TOOLCHAIN) $(LINKS) $(HEADERS) $(LIBRARY_FILES) $(NVML) $(UMPYTHON) $(UMLAB) $(addprefix $(B)/,$(LABS) $(HELLO))
	$(if $(filter sim,$(BACKEND)),$(if $(KISSFFT),@:,@echo "there is no cuFFT here: KissFFT is not installed \
	    (./setup.sh)"),@:)

# ---- the simulator ----
# All layers: whatever stands in sim/ but programs and libraries of their own.
LAYERS := $(filter-out $(patsubst %,sim/%/,include umcc library nvml cufft nvrtc nvvm python client \
    $(basename $(LIBRARIES))),$(wildcard sim/*/))
SIM_SRC := $(sort $(wildcard $(foreach layer,$(LAYERS),$(layer)*.c $(layer)*.S)))
# What the library shows: its map, and the names of the calls that it wraps.
SIM_MAP := $(B)/obj/sim/libumsim.map
UMCC_SRC := $(sort $(wildcard sim/umcc/*.c))

# Flags are in these files: an object made with other flags is made anew.
$(B)/obj/%.o: %.c Makefile mk/backend.mk
	$(call say,CC,$<)
	$(Q)$(INTO) $@ $(COMPILE) $(INCLUDES) $(EXTRA_INCLUDES) -MF $(@:.o=.d) -MT $@ -c -o $@ $<
$(B)/obj/%.o: %.S
	$(call say,AS,$<)
	$(Q)$(INTO) $@ $(CC) -g -fPIC -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<
# Kernels' reads of textures take two thirds of the time, between elements half of it.
$(B)/obj/sim/devlib/texture.o: private CFLAGS += -O3
# So many lanes' notes are gone over here that vectors save a tenth of what counting takes.
$(B)/obj/sim/count/row.o $(B)/obj/sim/count/settle.o: private CFLAGS += -O3
# sim/device/switch.h: a thread pushes onto the stack that it leaves, below which nothing may be in use.
$(addprefix $(B)/obj/sim/device/,fiber.o one_stack.o): private CFLAGS += \
    $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),-mno-red-zone)
# The library serves programs of either version: only they are compiled with CUDA 12's names.
$(B)/obj/sim/%.o: CUDA12 :=
$(B)/obj/sim/%.o: EXTRA_INCLUDES := -Isim
$(B)/obj/tests/%.o: EXTRA_INCLUDES := -Itests $(if $(filter sim,$(BACKEND)),-Isim)

$(SIM_MAP): sim/libumsim.map sim/fault/call_table.h
	$(call say,MAP)
	$(Q)$(INTO) $@ sh -c 'sed -nE "s/^(CALL|BY_HAND|OTHER)\(([a-zA-Z0-9_]+)[,)].*/\2;/p; \
	    s/^CALL_BY\([a-z_]+, ([a-zA-Z0-9_]+),.*/\1;/p" sim/fault/call_table.h | \
	    sed "/the names of call_table.h/r /dev/stdin" sim/libumsim.map >"$$1"' - $@
# The default profile as it is now: a start need not parse it (sim/model/profile_known.h).
KNOWN := $(B)/obj/sim/model/known
$(KNOWN)/write: $(call objects,$(wildcard sim/model/known/*.c sim/model/profile*.c))
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -o $@ $^ -lcjson -lm
$(KNOWN)/profile.c: $(KNOWN)/write profiles/h200-pcie5.json
	$(call say,MAKE)
	$(Q)$(INTO) $@ sh -c '$(EMULATOR) $^ >"$$1"' - $@
$(KNOWN)/profile.o: $(KNOWN)/profile.c
	$(call say,CC)
	$(Q)$(INTO) $@ $(COMPILE) -I. -MF $(@:.o=.d) -MT $@ -c -o $@ $<
# Both sides of CUDA's calls between a client and its server are made from the declarations.
API_HEADERS := $(addprefix sim/include/,cuda_runtime_api.h umsim/api_array.h umsim/api_graph.h \
    umsim/api_graph_nodes.h umsim/api_peers.h umsim/api_attributes.h cuda_profiler_api.h)
MADE := $(B)/obj/sim/client/made
$(MADE)/%.c: sim/client/generate.py $(API_HEADERS)
	$(call say,MAKE)
	$(Q)$(INTO) $@ sh -c '$(PYTHON) sim/client/generate.py $* $(API_HEADERS) >"$$1"' - $@
.PRECIOUS: $(MADE)/%.c
$(MADE)/%.o: $(MADE)/%.c
	$(call say,CC)
	$(Q)$(INTO) $@ $(COMPILE) $(INCLUDES) -I. -MF $(@:.o=.d) -MT $@ -c -o $@ $<
$(B)/lib/libumsim.so: $(call objects,$(SIM_SRC)) $(KNOWN)/profile.o $(MADE)/served.o $(SIM_MAP)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -shared -Wl,-soname,libumsim.so -Wl,--version-script=$(SIM_MAP) -o $@ \
	    $(filter $(B)/obj/%.o,$^) -lcjson -lpthread -lm -ldl
	$(Q)for name in libcudart.so libcudart.so.12 libcudart.so.13; do ln -sf libumsim.so $(@D)/$$name; done
	$(Q)$(INTO) $(@D)/libcudadevrt.a ar rcs $(@D)/libcudadevrt.a
	$(Q)$(INTO) $(@D)/libcudart_static.a sh -c 'echo "INPUT(-lumsim)" >"$$1"' - $(@D)/libcudart_static.a
# What Python's packages look for by name: in a folder that only umpython puts on a path, so that these never stand
# before a real driver (docs/python.md).
DRIVER := $(B)/driver/libcurand.so.10
$(DRIVER): $(B)/lib/libcurand.so | $(B)/lib/libumsim.so
	$(Q)mkdir -p $(@D)
	$(Q)for name in libcurand.so libcurand.so.10; do ln -sf ../lib/libcurand.so $(@D)/$$name; done
	$(Q)for name in libcuda.so libcuda.so.1; do ln -sf ../lib/libumsim.so $(@D)/$$name; done
NVRTC := $(B)/driver/libnvrtc.so.13
$(NVRTC): $(call objects,$(wildcard sim/nvrtc/*.c) sim/base/symbols.c) sim/nvrtc/libnvrtc.map
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -shared -Wl,-soname,libnvrtc.so.13 -Wl,--version-script=sim/nvrtc/libnvrtc.map -o $@ \
	    $(filter %.o,$^) -ldl
	$(Q)for name in libnvrtc.so libnvrtc.so.12; do ln -sf libnvrtc.so.13 $(@D)/$$name; done
# libnvvm's compiler is Python, and links what it makes with an object that is made here. A folder that looks like a
# toolkit's has it, and a text where Numba wants NVIDIA's libdevice to be.
NVVM := $(B)/driver/libnvvm.so.4
$(NVVM): $(call objects,$(addprefix sim/nvvm/,nvvm.c compiler.c) sim/nvrtc/beside.c) sim/nvvm/libnvvm.map \
    $(wildcard sim/nvvm/*.py) $(B)/lib/umlab/nvvm_device.o | $(B)/share/umlab/cuda
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -shared -Wl,-soname,libnvvm.so.4 -Wl,--version-script=sim/nvvm/libnvvm.map -o $@ \
	    $(filter $(B)/obj/%.o,$^) -lpthread -ldl
	$(Q)ln -sfnr sim/nvvm $(B)/share/umlab/nvvm
	$(Q)mkdir -p $(B)/share/umlab/cuda/nvvm/lib64 $(B)/share/umlab/cuda/nvvm/libdevice
	$(Q)for name in libnvvm.so libnvvm.so.4; do \
	    ln -sf ../../../../../driver/libnvvm.so.4 $(B)/share/umlab/cuda/nvvm/lib64/$$name; done
	$(Q)cp sim/nvvm/libdevice.txt $(B)/share/umlab/cuda/nvvm/libdevice/libdevice.10.bc
# Each function in a section of its own, of which ld takes what a kernel needs; with gcc's for types that no processor
# has.
$(B)/obj/sim/nvvm/device.o: private CUDA_CC += -O2 -Xcompiler -fPIC,-ffunction-sections,-fdata-sections
$(B)/obj/sim/nvvm/device.o: sim/nvvm/functions.def
$(B)/obj/sim/umcc/ptx_code.o: sim/umcc/ptx_rows.def
$(B)/lib/umlab/nvvm_device.o: $(B)/obj/sim/nvvm/device.o
	$(call say,LINK)
	$(Q)mkdir -p $(@D)
	$(Q)$(INTO) $@ ld -r -S -o $@ $(addprefix -u __,udivti3 umodti3 divti3 modti3 floattidf floatuntidf fixdfti \
	    fixunsdfti extendhfsf2 truncsfhf2 truncdfhf2) $< $$($(CC) -print-libgcc-file-name)
$(B)/driver/libnvJitLink.so.%: $(B)/obj/sim/nvvm/nvjitlink.o
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -shared -Wl,-soname,$(@F) -o $@ $<
NVJITLINK := $(addprefix $(B)/driver/libnvJitLink.so.,12 13)
.SECONDARY: $(B)/obj/sim/nvvm/nvjitlink.o
$(B)/bin/umpython: $(wildcard sim/python/*) $(DRIVER) $(NVRTC) $(NVVM) $(NVJITLINK)
	$(Q)mkdir -p $(@D) $(B)/share/umlab && ln -sfnr sim/python $(B)/share/umlab/python && cp sim/python/umpython $@
# A client's library, of the same name (sim/server/channel.h). What kernels call never runs there.
CLIENT := $(B)/grade/sandbox/client/libumsim.so
CLIENT_OBJ := $(call objects,$(wildcard sim/client/*.c) sim/base/error_names.c) $(MADE)/stubs.o
$(MADE)/rest.c: $(CLIENT_OBJ) $(B)/lib/libumsim.so sim/client/generate.py
	$(call say,MAKE)
	$(Q)nm -D --defined-only $(B)/lib/libumsim.so | cut -d' ' -f3 >$(@D)/all.names
	$(Q)nm --defined-only $(CLIENT_OBJ) | awk 'NF == 3 { print $$3 }' >$(@D)/own.names
	$(Q)$(INTO) $@ sh -c '$(PYTHON) sim/client/generate.py rest $(@D)/all.names $(@D)/own.names >"$$1"' - $@
$(CLIENT): $(CLIENT_OBJ) $(MADE)/rest.o
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -shared -Wl,-soname,libumsim.so -o $@ $^ -lpthread -ldl
# A tool, not under test here: it leaves its memory to the end of its process.
$(B)/bin/umcc $(B)/obj/sim/umcc/%.o: SANITIZER :=
$(B)/bin/umcc: $(call objects,$(UMCC_SRC))
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -o $@ $^
# Under --check g++ gets a plugin (sim/umcc/rows/), which needs g++'s own headers. Where they are not installed, no
# loop's accesses are judged before it begins, and programs tell the same in more time.
# An empty one stands for a g++ whose passes are others.
$(ROWS): $(wildcard sim/umcc/rows/*)
	$(call say,LINK)
	$(Q)$(INTO) $@ g++ -std=gnu++17 -O2 -g -fPIC -fno-rtti -fno-exceptions -Wall -Wextra -shared -o $@ \
	    -isystem $(GCC_HEADERS) $(filter %.cpp,$^) || \
	    { echo "umcc --check will take longer: this g++ is not known to its plugin (above)" >&2; : >$@; }
# The headers that g++ has read beforehand, for these options (sim/umcc/precompiled.h). Programs are the same without
# them, so nothing waits for them.
PRECOMPILED := "" -std=c++17 --cubin "--cubin -std=c++17"
$(HEADERS): $(COMPILER) | $(B)/include
	$(call say,MAKE)
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(Q)for options in $(PRECOMPILED); do $(EMULATOR) $(B)/bin/umcc --precompile $$options || \
	    { echo "umcc will take longer: this g++ compiles no headers beforehand" >&2; break; }; done; touch $@
# umcc finds the headers, and the library its profiles, beside themselves: as after `make install`.
$(B)/include:
	$(Q)mkdir -p $(@D) && ln -sfnr sim/include $@
$(B)/share/umlab/profiles:
	$(Q)mkdir -p $(@D) && ln -sfnr profiles $@
# A course's Makefile with CUDA_HOME, and CMake, look for nvcc, include/ and lib64/ in one folder.
$(B)/share/umlab/cuda: sim/umcc/umcc.cmake
	$(Q)mkdir -p $@/bin && cp $< $(@D)/
	$(Q)ln -sfn ../../../../bin/umcc $@/bin/nvcc && ln -sfn ../../../include $@/include && ln -sfn ../../../lib $@/lib64

# ---- libraries of kernels ----
$(foreach library,$(basename $(LIBRARIES)),$(B)/obj/sim/$(library)/%.o) $(B)/obj/sim/library/%.o: EXTRA_INCLUDES :=
# They say what their launches stand for (umsim/reach.h), so nothing of them is counted.
$(foreach library,$(basename $(LIBRARIES)),$(B)/obj/sim/$(library)/%.o): private KERNEL_FLAGS += --no-count
LIBRARY_OBJ := $(call objects,$(wildcard sim/library/*.c))
$(B)/obj/sim/curand/sobol.o: sim/curand/joe_kuo.bin
# KissFFT multiplies complex numbers, none of which is infinite without all being lost.
$(B)/obj/%.o: %.cpp Makefile
	$(call say,CXX,$<)
	$(Q)$(INTO) $@ $(CXX) -std=c++17 -O3 -g -fPIC -fcx-limited-range -Wall -Wextra -Werror $(SANITIZER) -MMD -MP \
	    -MF $(@:.o=.d) -MT $@ -c -o $@ $<
# library NAME,VERSION
define library
$(B)/lib/lib$1.so: $(call objects,$(sort $(wildcard $(addprefix sim/$1/,*.cu *.c *.cpp)))) $(LIBRARY_OBJ) \
    sim/$1/lib$1.map | $(LINKS)
	$$(call say,LINK)
	$$(Q)$$(INTO) $$@ $$(CUDA_CC) -shared -o $$@ $$(filter $(B)/obj/%.o,$$^) $$(BESIDE) $$($1_LIBS) -Xlinker \
	    -rpath,'$$$$ORIGIN',-soname,lib$1.so.$2,--version-script=sim/$1/lib$1.map
	$$(Q)ln -sf lib$1.so $$@.$2
endef
$(foreach l,$(LIBRARIES),$(eval $(call library,$(basename $l),$(subst .,,$(suffix $l)))))

$(B)/lib/libumsim-nvml.so.1: $(B)/obj/sim/nvml/nvml.o sim/nvml/libnvml.map $(B)/lib/libumsim.so
	$(call say,LINK)
	$(Q)$(INTO) $@ $(LINK) -shared -Wl,-soname,libumsim-nvml.so.1 -Wl,--version-script=sim/nvml/libnvml.map \
	    -Wl,-rpath,'$$ORIGIN' -o $@ $< -L$(B)/lib -lumsim
	$(Q)ln -sf $(@F) $(@D)/libnvidia-ml.so

# ---- common/ and kernels/ ----
KERNELS := $(sort $(wildcard kernels/*.cu))
$(B)/obj/%.o: %.cu $(COMPILER) Makefile mk/backend.mk | $(LINKS)
	$(call say,CUDA,$<)
	$(Q)$(INTO) $@ $(CUDA_CC) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<
$(B)/lib/libumlab.so: $(call objects,$(sort $(wildcard common/*.c interop/*.c)) $(KERNELS)) $(TOOLCHAIN)
	$(call say,LINK)
	$(Q)$(INTO) $@ $(CUDA_CC) -shared -o $@ $(filter $(B)/obj/%.o,$^) $(BESIDE) -lcjson \
	    -Xlinker -rpath,'$$ORIGIN'$(LIB_RPATH) -Xlinker -z,now

# ---- labs ----
# A lab is all .c files of its folder. exercise.c is the student's: it is a part only where the lab runs it. What
# the grader needs stands in the lab's grade/ (mk/grade.mk).
RUN_THEIR_EXERCISE := lab9
lab_source = $(sort $(filter-out $(if $(filter $2,$(RUN_THEIR_EXERCISE)),,$1/exercise.c),$(wildcard $1/*.c)))
define lab
$(B)/$2: $(call objects,$(call lab_source,$1,$2)) $(TOOLCHAIN) $(UMLAB) | $(LINKS)
	$$(call say,LINK)
	$$(Q)$$(INTO) $$@ $$(LINK) -Wl,-rpath,'$$$$ORIGIN/lib' -o $$@ $$(filter $(B)/obj/%.o,$$^) $$(LIBS)
endef
$(foreach d,$(LAB_DIRS),$(eval $(call lab,$d,$(call lab_of,$d))))
$(eval $(call lab,labs/hello,hello))
# Lab 7's kernels once more, each of their accesses counted: what a profiler shows on a GPU.
ifeq ($(BACKEND)$(SANITIZE),sim)
$(B)/lab7_sectors: labs/lab7_structures/sectors.cu \
    $(addprefix kernels/,chase.cu dense.cu records.cu traffic.cu kernels.h) $(TOOLCHAIN) | $(LINKS)
	$(call say,CUDA,$<)
	$(Q)$(INTO) $@ $(CUDA_CC) --check=coalescing -o $@ $(filter %.cu,$^)
all lab7: $(B)/lab7_sectors
lab7_BEHIND = $(if $(VIEW)$(ARGS),,$(B)/lab7_sectors)
endif

## Run      ARGS="--size 64M" are the program's own, PROFILE=name chooses the simulated machine
##   hello               the five-minute start: one address, three readers
##   lab0 ... lab9       builds and runs that lab; VIEW=1 shows where the pages were: build/view/lab5.html
##   labs                runs all labs that are there
##   doctor              lab0: what this machine's memory system can do
.PHONY: labs doctor hello $(LABS)
# VIEW=1: the run leaves a trace, and the trace becomes a page. 3: a lab without managed memory has no pages to show.
VIEWED = $(BUILD)/view/$@
$(LABS): %: $(B)/%
ifeq ($(VIEW),)
	@$(RUN_LAB) $< $(RUN_ARGS)$(if $($@_BEHIND), && $($@_BEHIND))
else ifeq ($(BACKEND),sim)
	@mkdir -p $(dir $(VIEWED)) && rm -f $(VIEWED).jsonl
	@status=0; UMSIM_TRACE=$(VIEWED).jsonl $(RUN_LAB) $< $(RUN_ARGS) || status=$$?; \
	    [ $$status != 2 ] || exit 2; $(PYTHON) report/view.py $(VIEWED).jsonl || [ $$? = 3 ] || exit 2; exit $$status
else
	@echo "$@: VIEW=1 needs BACKEND=sim: a GPU does not tell where its pages are" >&2; exit 2
endif
labs: $(addprefix $(B)/,$(LABS))
	@status=0; for lab in $(LABS); do $(B)/$$lab $(RUN_ARGS) || status=1; done; exit $$status
doctor: lab0
hello: $(B)/hello
	@$< $(RUN_ARGS)
lab%:
	@echo "there is no $@ here; there are: $(or $(LABS),none yet)" >&2; exit 2

# A handout has no mk/tests.mk, and none of what is the instructors': mk/elsewhere.mk says so.
FRAGMENTS := $(wildcard $(addprefix mk/,tests.mk claims.mk tools.mk grade.mk student.mk class.mk course.mk docs.mk \
    release.mk elsewhere.mk))
include $(FRAGMENTS)
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)

##   help                this list
.PHONY: help
help:
	@printf '%s ' 'make TARGET [BACKEND=sim|cuda] [V=1] [SANITIZE=address|undefined] [CUDA=12]'
	@echo '[CUDA_HOME=DIR] [ARCH="-arch=sm_86"]'
	@sed -n 's/^## \{0,1\}//p' Makefile $(FRAGMENTS)
