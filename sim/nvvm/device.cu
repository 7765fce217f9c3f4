/**
 * @file device.cu
 * @brief What every module of Numba's is linked with: how its kernels become known, and what they call.
 *
 * Compiled by umcc when the simulator is built, into an object file from which the linker takes what a module
 * needs. So a kernel of Numba's and one in CUDA C++ have the same mathematical functions. What is short is in
 * runtime.py, as text that is inlined.
 */
#include <cuda_fp16.h>

#include <stddef.h>
#include <stdint.h>

/* ---- the module's kernels and variables ---- */

/** What compile.py writes for each kernel. */
struct um_kernel {
    void (*stub)(void);
    struct umsim_kernel kernel;
    const struct umsim_parameter *parameters; /* how they lie, for launches that bring them packed */
    const uint32_t *offsets;                  /* where they lie in the closure */
    const char *symbol;                       /* the name by which the driver API finds it */
    struct umsim_sizes sizes;
    uint32_t count, bytes; /* of the closure */
};
static_assert(sizeof(struct umsim_kernel) == 5 * sizeof(void *) + 8 &&
                  offsetof(struct umsim_kernel, strides) == 5 * sizeof(void *),
              "RECORD in loops.py says so");
struct um_variable {
    const void *address;
    size_t bytes;
    const char *name;
};
extern "C" {
extern const struct um_kernel um_kernels[] __attribute__((visibility("hidden")));
extern const uint32_t um_kernels_count __attribute__((visibility("hidden")));
extern const struct um_variable um_variables[] __attribute__((visibility("hidden")));
extern const uint32_t um_variables_count __attribute__((visibility("hidden")));
}

/* Launches the kernel whose stub this is: copies the parameters to where its closure has them. */
static void launch(void (*stub)(void), void **arguments)
{
    alignas(16) char closure[UMSIM_CLOSURE_MAX];
    for (uint32_t i = 0; i < um_kernels_count; i++) {
        const struct um_kernel *it = &um_kernels[i];
        if (it->stub != stub)
            continue;
        for (uint32_t k = 0; k < it->count; k++)
            __builtin_memcpy(closure + it->offsets[k], arguments[k], it->parameters[k].bytes);
        umsim_launch(&it->kernel, closure, it->bytes);
    }
}

__attribute__((constructor(102))) static void open_kernels()
{
    for (uint32_t i = 0; i < um_kernels_count; i++) {
        const struct um_kernel *it = &um_kernels[i];
        umsim_register_kernel(it->stub, launch, it->symbol);
        umsim_register_parameters(it->stub, it->parameters, it->count);
        umsim_register_sizes(it->stub, &it->sizes);
    }
    for (uint32_t i = 0; i < um_variables_count; i++) {
        umsim_register_variable(um_variables[i].address, um_variables[i].bytes);
        umsim_name_variable(um_variables[i].address, um_variables[i].name);
    }
}

/* ---- what kernels call ---- */

#define UM_FN extern "C" __attribute__((visibility("hidden"))) __device__

/** Others run meanwhile, as in __nanosleep(). */
UM_FN void um_nanosleep(uint32_t nanoseconds)
{
    umsim_sleep_ns(nanoseconds);
    umsim_poll_yield();
}

/** PTX's `shfl.sync`: modes are 0 idx, 1 up, 2 down, 3 bfly; `clamp` holds the last lane, and in bits 8 to 12
 * which bits of a lane's number are its segment's. @param[out] found whether there is such a lane */
UM_FN uint32_t um_shfl(uint32_t mask, uint32_t mode, uint32_t value, uint32_t by, uint32_t clamp,
                       uint32_t *found, int line)
{
    const uint32_t lane = umsim_lane(), segment = clamp >> 8 & 31, bound = clamp & 31;
    const uint32_t last = (lane & segment) | (bound & ~segment);
    uint32_t source = (lane & segment) | (by & ~segment & 31);
    if (mode != 0)
        source = mode == 1 ? lane - (by & 31) : mode == 2 ? lane + (by & 31) : lane ^ (by & 31);
    *found = mode == 1 ? (int32_t)source >= (int32_t)last : source <= last;
    if (!*found)
        source = lane;
    return (uint32_t)umsim_warp(UMSIM_SHFL, mask, value, source, "numba", line);
}

/** What a record of a thread's says of its place: tid, ctaid, ntid, nctaid. */
struct um_thread {
    uint3 thread, block;
    dim3 block_dim, grid_dim;
};

/** Before what asks for its thread otherwise than the kernels here: print, and functions of other modules. */
UM_FN void um_tell(const struct um_thread *thread)
{
    umsim_builtins.thread_index = thread->thread;
    umsim_builtins.block_index = thread->block;
    umsim_builtins.block_dim = thread->block_dim;
    umsim_builtins.grid_dim = thread->grid_dim;
}

/** The other way round: where a function begins that another module calls. */
UM_FN void um_ask(struct um_thread *thread)
{
    thread->thread = umsim_builtins.thread_index;
    thread->block = umsim_builtins.block_index;
    thread->block_dim = umsim_builtins.block_dim;
    thread->grid_dim = umsim_builtins.grid_dim;
}

UM_FN int um_vprintf(const struct um_thread *thread, const char *format, const void *arguments)
{
    um_tell(thread);
    return umsim_printf_packed(format, arguments);
}

UM_FN uint16_t um_hfma(uint16_t a, uint16_t b, uint16_t c)
{
    return __half_as_ushort(__hfma(__ushort_as_half(a), __ushort_as_half(b), __ushort_as_half(c)));
}

/* ---- mathematical functions ---- */

static __device__ float um_half2float(uint16_t half)
{
    return __half2float(__ushort_as_half(half));
}

#define UM_OF(result, name, parameters, value)                                                               \
    UM_FN result __nv_##name parameters                                                                      \
    {                                                                                                        \
        return value;                                                                                        \
    }
#define P_FPP(name, function)                                                                                \
    UM_OF(void *, name, (float x, float *a, float *b), (function(x, a, b), (void *)0))
#define P_DPP(name, function)                                                                                \
    UM_OF(void *, name, (double x, double *a, double *b), (function(x, a, b), (void *)0))
#define D_D(name, function) UM_OF(double, name, (double x), function(x))
#define D_DD(name, function) UM_OF(double, name, (double x, double y), function(x, y))
#define D_DDD(name, function) UM_OF(double, name, (double x, double y, double z), function(x, y, z))
#define D_DDQ(name, function) UM_OF(double, name, (double x, double y, int *z), function(x, y, z))
#define D_DI(name, function) UM_OF(double, name, (double x, int y), function(x, y))
#define D_DP(name, function) UM_OF(double, name, (double x, double *y), function(x, y))
#define D_DQ(name, function) UM_OF(double, name, (double x, int *y), function(x, y))
#define D_ID(name, function) UM_OF(double, name, (int x, double y), function(x, y))
#define D_II(name, function) UM_OF(double, name, (int x, int y), function(x, y))
#define D_L(name, function) UM_OF(double, name, (long long x), function(x))
#define F_D(name, function) UM_OF(float, name, (double x), function(x))
#define F_F(name, function) UM_OF(float, name, (float x), function(x))
#define F_FF(name, function) UM_OF(float, name, (float x, float y), function(x, y))
#define F_FFF(name, function) UM_OF(float, name, (float x, float y, float z), function(x, y, z))
#define F_FFQ(name, function) UM_OF(float, name, (float x, float y, int *z), function(x, y, z))
#define F_FI(name, function) UM_OF(float, name, (float x, int y), function(x, y))
#define F_FP(name, function) UM_OF(float, name, (float x, float *y), function(x, y))
#define F_FQ(name, function) UM_OF(float, name, (float x, int *y), function(x, y))
#define F_H(name, function) UM_OF(float, name, (uint16_t x), function(x))
#define F_I(name, function) UM_OF(float, name, (int x), function(x))
#define F_IF(name, function) UM_OF(float, name, (int x, float y), function(x, y))
#define F_L(name, function) UM_OF(float, name, (long long x), function(x))
#define I_D(name, function) UM_OF(int, name, (double x), function(x))
#define I_F(name, function) UM_OF(int, name, (float x), function(x))
#define I_II(name, function) UM_OF(int, name, (int x, int y), function(x, y))
#define I_III(name, function) UM_OF(int, name, (int x, int y, int z), function(x, y, z))
#define L_D(name, function) UM_OF(long long, name, (double x), function(x))
#define L_F(name, function) UM_OF(long long, name, (float x), function(x))
#define L_LL(name, function) UM_OF(long long, name, (long long x, long long y), function(x, y))
#include "functions.def"
