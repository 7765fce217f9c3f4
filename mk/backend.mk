# Which backend, and with which tools. Sets BACKEND, B (the build folder), NVCC, CUDA_INC, CUDA_LIB.

# CUDA: by CUDA_HOME, else nvcc on PATH, else /usr/local/cuda. A CUDA_HOME that holds none is not passed over.
ifdef CUDA_HOME
    NVCC := $(wildcard $(CUDA_HOME)/bin/nvcc)
else
    NVCC := $(or $(shell command -v nvcc 2>/dev/null),$(wildcard /usr/local/cuda/bin/nvcc))
endif
CUDA_ROOT := $(patsubst %/bin/nvcc,%,$(NVCC))
ifeq ($(and $(NVCC),$(wildcard $(CUDA_ROOT)/include/cuda_runtime_api.h)),)
    # A script may stand for an nvcc elsewhere: that one says where.
    CUDA_ROOT := $(if $(NVCC),$(shell $(NVCC) --dryrun -E -x cu /dev/null 2>&1 | sed -n 's/^\#[$$] TOP=//p'))
endif
CUDA_INC := $(firstword $(wildcard $(addprefix $(CUDA_ROOT)/,include targets/x86_64-linux/include)))
CUDA_LIB := $(firstword $(wildcard $(addprefix $(CUDA_ROOT)/,lib64 lib/x86_64-linux-gnu targets/x86_64-linux/lib lib)))

ifeq ($(BACKEND),)
    ifneq ($(filter-out $(NO_BACKEND_GOALS),$(or $(MAKECMDGOALS),all)),)
        found := $(shell sh mk/backend.sh '$(NVCC)')
        override BACKEND := $(firstword $(found))
        $(shell echo "backend: $(BACKEND) ($(wordlist 2,99,$(found)); BACKEND=sim or cuda chooses)" >&2)
        # Sub-makes and scripts take what was found here, without asking again.
        export BACKEND
    else
        override BACKEND := sim
    endif
endif

ifeq ($(filter sim cuda,$(BACKEND)),)
    $(error BACKEND is sim or cuda, not '$(BACKEND)')
endif
ifeq ($(BACKEND)$(NVCC),cuda)
    NO_NVCC := no nvcc $(if $(CUDA_HOME),in CUDA_HOME=$(CUDA_HOME),on PATH or in /usr/local/cuda)
    $(error BACKEND=cuda needs the CUDA toolkit: $(NO_NVCC))
endif

# Variants stand beside the plain build, so that no object is of two kinds.
ifneq ($(filter-out address undefined,$(SANITIZE)),)
    $(error SANITIZE is address or undefined, not '$(SANITIZE)')
endif
ifneq ($(filter-out 12 13,$(CUDA)),)
    $(error CUDA is 12 or 13, not '$(CUDA)')
endif
# A finding ends the program. Sanitizers confuse gcc's warnings about values: those stay warnings.
SANITIZER := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer -Wno-error)
OF_SANITIZER := $(if $(filter address,$(SANITIZE)),-asan)$(if $(filter undefined,$(SANITIZE)),-ubsan)
# The simulated GPU's pages are those of this machine's kernel; other ones (16k tried on x86-64) are a variant.
ifneq ($(filter-out 4k 16k,$(PAGES)),)
    $(error PAGES is 4k or 16k, not '$(PAGES)')
endif
OWN_PAGES := $(if $(filter 16384,$(shell getconf PAGESIZE)),16k,4k)
PAGES_NOW := $(or $(PAGES),$(OWN_PAGES))
PAGE_BYTES := $(if $(filter 16k,$(PAGES_NOW)),-DUMSIM_PAGE_BYTES=16384)
OF_PAGES := $(if $(filter-out $(OWN_PAGES),$(PAGES_NOW)),-pages$(PAGES_NOW))
VARIANT := $(if $(filter 12,$(CUDA)),-cuda12)$(OF_SANITIZER)$(OF_PAGES)
BUILD := build
B := $(BUILD)/$(BACKEND)$(VARIANT)
