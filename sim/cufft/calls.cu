/**
 * @file calls.cu
 * @brief cuFFT's calls: plans by their handles, and what they transform.
 */
#include "../library/arrays.h"
#include "plan.h"
#include <cufftXt.h>

#include <cstdio>
#include <deque>
#include <mutex>

using fft::plan;
using fft::sizes;

namespace
{

std::mutex lock;
std::deque<plan> plans; /* a handle is an index; what is destroyed is used again */

plan *find(cufftHandle handle)
{
    std::unique_lock<std::mutex> held(lock);
    return handle >= 0 && (size_t)handle < plans.size() && plans[handle].used ? &plans[handle] : nullptr;
}

bool is_type(cufftType type)
{
    return type == CUFFT_C2C || type == CUFFT_Z2Z || fft::is_real_in(type) || fft::is_real_out(type);
}

/* What a caller said of a plan, in 64 bits. */
struct said {
    int rank;
    long long n[3], in_embed[3], out_embed[3];
    bool has_in, has_out;
    long long in_stride, in_dist, out_stride, out_dist, batch;
    cufftType type;
};

fft::layout layout_of(const long long (&embed)[3], int rank, long long stride, long long dist)
{
    fft::layout made = {{0, 0, (uint64_t)stride}, (uint64_t)dist};
    for (int k = 2; k > 3 - rank; k--)
        made.stride[k - 1] = umsim_times(made.stride[k], (uint64_t)embed[k]);
    return made;
}

/* Embedding sizes of a side: none smaller than 1, but the first is not used. */
bool is_layout(const long long (&embed)[3], int rank, long long stride, long long dist, long long batch)
{
    for (int k = 4 - rank; k < 3; k++)
        if (embed[k] < 1)
            return false;
    return stride >= 1 && (dist >= 1 || (dist == 0 && batch == 1));
}

cufftResult understand(const said &s, sizes *of)
{
    *of = {};
    if (!is_type(s.type))
        return CUFFT_INVALID_TYPE;
    if (s.rank < 1 || s.rank > 3)
        return CUFFT_INVALID_VALUE;
    if (s.batch < 1)
        return CUFFT_INVALID_SIZE;
    of->rank = s.rank;
    of->type = s.type;
    of->batch = (uint64_t)s.batch;
    uint64_t all = (uint64_t)s.batch;
    for (int k = 0; k < 3; k++) {
        const long long n = k < 3 - s.rank ? 1 : s.n[k];
        if (n < 1)
            return CUFFT_INVALID_SIZE;
        of->n[k] = (uint64_t)n;
        all = umsim_times(all, (uint64_t)n);
    }
    of->basic_in = !s.has_in || !s.has_out;
    of->basic_out = of->basic_in;
    if (!of->basic_in) {
        if (!is_layout(s.in_embed, s.rank, s.in_stride, s.in_dist, s.batch) ||
            !is_layout(s.out_embed, s.rank, s.out_stride, s.out_dist, s.batch))
            return CUFFT_INVALID_SIZE;
        of->in = layout_of(s.in_embed, s.rank, s.in_stride, s.in_dist);
        of->out = layout_of(s.out_embed, s.rank, s.out_stride, s.out_dist);
    }
    /* Products with the sizes of numbers, and lengths of convolutions, stay within 64 bits. */
    return all < (uint64_t)1 << 48 && fft::area_bytes(*of) < (uint64_t)1 << 56 ? CUFFT_SUCCESS
                                                                               : CUFFT_INVALID_SIZE;
}

cufftResult size_of(const said &s, size_t *bytes)
{
    sizes of;
    if (!bytes)
        return CUFFT_INVALID_VALUE;
    const cufftResult result = understand(s, &of);
    if (result == CUFFT_SUCCESS)
        *bytes = fft::area_bytes(of);
    return result;
}

cufftResult make(cufftHandle handle, const said &s, size_t *bytes)
{
    plan *p = find(handle);
    if (!p || p->made)
        return CUFFT_INVALID_PLAN;
    cufftResult result = understand(s, &p->of);
    if (result != CUFFT_SUCCESS)
        return result;
    result = fft::make_lines(p);
    if (result == CUFFT_SUCCESS && p->by_itself &&
        cudaMalloc(&p->own_area, fft::area_bytes(p->of)) != cudaSuccess) {
        p->own_area = nullptr;
        result = CUFFT_ALLOC_FAILED;
    }
    if (result != CUFFT_SUCCESS) {
        fft::drop_lines(p);
        return result;
    }
    p->area = p->own_area;
    p->made = true;
    if (bytes)
        *bytes = fft::area_bytes(p->of);
    return CUFFT_SUCCESS;
}

cufftResult create_and_make(cufftHandle *handle, const said &s)
{
    if (!handle)
        return CUFFT_INVALID_VALUE;
    cufftHandle made;
    cufftResult result = cufftCreate(&made);
    if (result != CUFFT_SUCCESS)
        return result;
    result = make(made, s, nullptr);
    if (result != CUFFT_SUCCESS)
        cufftDestroy(made);
    else
        *handle = made;
    return result;
}

said one_to_three(int rank, long long x, long long y, long long z, cufftType type, long long batch)
{
    said s = {};
    s.rank = rank;
    s.n[0] = x, s.n[1] = y, s.n[2] = z;
    s.batch = batch;
    s.type = type;
    return s;
}

template <class T>
said many(int rank, const T *n, const T *in_embed, T in_stride, T in_dist, const T *out_embed, T out_stride,
          T out_dist, cufftType type, T batch)
{
    said s = one_to_three(n ? rank : 0, 1, 1, 1, type, batch);
    s.has_in = in_embed;
    s.has_out = out_embed;
    s.in_stride = in_stride, s.in_dist = in_dist, s.out_stride = out_stride, s.out_dist = out_dist;
    for (int i = 0; n && i < rank && rank <= 3; i++) {
        s.n[3 - rank + i] = n[i];
        s.in_embed[3 - rank + i] = in_embed ? in_embed[i] : 1;
        s.out_embed[3 - rank + i] = out_embed ? out_embed[i] : 1;
    }
    return s;
}

cufftResult execute(const char *call, cufftHandle handle, cufftType type, void *in, void *out, int direction)
{
    const plan *p = find(handle);
    if (!p || !p->made)
        return CUFFT_INVALID_PLAN;
    if (p->of.type != type) {
        fprintf(stderr,
                "%s: the plan is one of type 0x%x, this call transforms type 0x%x: make another plan\n", call,
                p->of.type, type);
        return CUFFT_INVALID_TYPE;
    }
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
        return CUFFT_INVALID_VALUE;
    if (!p->area)
        return CUFFT_NO_WORKSPACE;
    return fft::run(*p, call, in, out, direction == CUFFT_INVERSE);
}

cufftResult refuse(const char *call, const char *what, const char *instead)
{
    fprintf(stderr, "%s: %s is not part of the simulator: %s\n", call, what, instead);
    return CUFFT_NOT_SUPPORTED;
}

} // namespace

extern "C" cufftResult cufftCreate(cufftHandle *handle)
{
    if (!handle)
        return CUFFT_INVALID_VALUE;
    int device;
    if (cudaGetDevice(&device) != cudaSuccess)
        return CUFFT_SETUP_FAILED;
    std::unique_lock<std::mutex> held(lock);
    size_t i = 0;
    while (i < plans.size() && plans[i].used)
        i++;
    if (i == plans.size())
        plans.emplace_back();
    plans[i] = {};
    plans[i].used = plans[i].by_itself = true;
    *handle = (cufftHandle)i;
    return CUFFT_SUCCESS;
}

extern "C" cufftResult cufftDestroy(cufftHandle handle)
{
    plan *p = find(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    fft::drop_lines(p);
    cudaFree(p->own_area);
    std::unique_lock<std::mutex> held(lock);
    p->used = false;
    return CUFFT_SUCCESS;
}

/* What each form of a plan's sizes has: a plan at once, a plan of a handle, and its bytes, twice. */
#define ONE_TO_THREE(N, parameters, s)                                                                       \
    extern "C" cufftResult cufftPlan##N##d(cufftHandle *handle, parameters)                                  \
    {                                                                                                        \
        return create_and_make(handle, s);                                                                   \
    }                                                                                                        \
    extern "C" cufftResult cufftMakePlan##N##d(cufftHandle handle, parameters, size_t *bytes)                \
    {                                                                                                        \
        return make(handle, s, bytes);                                                                       \
    }                                                                                                        \
    extern "C" cufftResult cufftEstimate##N##d(parameters, size_t *bytes)                                    \
    {                                                                                                        \
        return size_of(s, bytes);                                                                            \
    }                                                                                                        \
    extern "C" cufftResult cufftGetSize##N##d(cufftHandle handle, parameters, size_t *bytes)                 \
    {                                                                                                        \
        return find(handle) ? size_of(s, bytes) : CUFFT_INVALID_PLAN;                                        \
    }
#define LIST(...) __VA_ARGS__
ONE_TO_THREE(1, LIST(int nx, cufftType type, int batch), one_to_three(1, 1, 1, nx, type, batch))
ONE_TO_THREE(2, LIST(int nx, int ny, cufftType type), one_to_three(2, 1, nx, ny, type, 1))
ONE_TO_THREE(3, LIST(int nx, int ny, int nz, cufftType type), one_to_three(3, nx, ny, nz, type, 1))

#define MANY(T)                                                                                              \
    int rank, T *n, T *inembed, T istride, T idist, T *onembed, T ostride, T odist, cufftType type, T batch
#define SAID many(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch)

extern "C" cufftResult cufftPlanMany(cufftHandle *handle, MANY(int))
{
    return create_and_make(handle, SAID);
}
extern "C" cufftResult cufftMakePlanMany(cufftHandle handle, MANY(int), size_t *bytes)
{
    return make(handle, SAID, bytes);
}
extern "C" cufftResult cufftMakePlanMany64(cufftHandle handle, MANY(long long), size_t *bytes)
{
    return make(handle, SAID, bytes);
}
extern "C" cufftResult cufftEstimateMany(MANY(int), size_t *bytes)
{
    return size_of(SAID, bytes);
}
extern "C" cufftResult cufftGetSizeMany(cufftHandle handle, MANY(int), size_t *bytes)
{
    return find(handle) ? size_of(SAID, bytes) : CUFFT_INVALID_PLAN;
}
extern "C" cufftResult cufftGetSizeMany64(cufftHandle handle, MANY(long long), size_t *bytes)
{
    return find(handle) ? size_of(SAID, bytes) : CUFFT_INVALID_PLAN;
}

extern "C" cufftResult cufftGetSize(cufftHandle handle, size_t *bytes)
{
    const plan *p = find(handle);
    if (!p || !p->made)
        return CUFFT_INVALID_PLAN;
    if (!bytes)
        return CUFFT_INVALID_VALUE;
    *bytes = fft::area_bytes(p->of);
    return CUFFT_SUCCESS;
}

extern "C" cufftResult cufftSetAutoAllocation(cufftHandle handle, int by_itself)
{
    plan *p = find(handle);
    if (!p || p->made)
        return CUFFT_INVALID_PLAN;
    p->by_itself = by_itself != 0;
    return CUFFT_SUCCESS;
}

extern "C" cufftResult cufftSetWorkArea(cufftHandle handle, void *area)
{
    plan *p = find(handle);
    if (!p || !p->made)
        return CUFFT_INVALID_PLAN;
    if (!umsim_reaches("cufftSetWorkArea", "workArea", area, fft::area_bytes(p->of), 1))
        return CUFFT_INVALID_VALUE;
    p->area = area;
    return CUFFT_SUCCESS;
}

extern "C" cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    plan *p = find(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    p->stream = stream;
    return CUFFT_SUCCESS;
}

extern "C" cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata, cufftComplex *odata, int direction)
{
    return execute("cufftExecC2C", plan, CUFFT_C2C, idata, odata, direction);
}
extern "C" cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata, cufftComplex *odata)
{
    return execute("cufftExecR2C", plan, CUFFT_R2C, idata, odata, CUFFT_FORWARD);
}
extern "C" cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata, cufftReal *odata)
{
    return execute("cufftExecC2R", plan, CUFFT_C2R, idata, odata, CUFFT_INVERSE);
}
extern "C" cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleComplex *odata,
                                    int direction)
{
    return execute("cufftExecZ2Z", plan, CUFFT_Z2Z, idata, odata, direction);
}
extern "C" cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata, cufftDoubleComplex *odata)
{
    return execute("cufftExecD2Z", plan, CUFFT_D2Z, idata, odata, CUFFT_FORWARD);
}
extern "C" cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleReal *odata)
{
    return execute("cufftExecZ2D", plan, CUFFT_Z2D, idata, odata, CUFFT_INVERSE);
}

extern "C" cufftResult cufftGetVersion(int *version)
{
    if (!version)
        return CUFFT_INVALID_VALUE;
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

extern "C" cufftResult cufftGetProperty(libraryPropertyType type, int *value)
{
    const int part =
        umsim_version_part(CUFFT_VER_MAJOR * 10000 + CUFFT_VER_MINOR * 100 + CUFFT_VER_PATCH, type);
    if (part < 0 || !value)
        return CUFFT_INVALID_VALUE;
    *value = part;
    return CUFFT_SUCCESS;
}

/* ---- cufftXt.h ---- */
extern "C" cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long int *n,
                                           long long int *inembed, long long int istride, long long int idist,
                                           cudaDataType inputtype, long long int *onembed,
                                           long long int ostride, long long int odist,
                                           cudaDataType outputtype, long long int batch, size_t *bytes,
                                           cudaDataType executiontype)
{
    const struct {
        cudaDataType from, to, by;
        cufftType type;
    } known[] = {
        {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
        {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
        {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D},
    };
    for (const auto &k : known)
        if (k.from == inputtype && k.to == outputtype && k.by == executiontype) {
            const cufftType type = k.type;
            return make(handle, SAID, bytes);
        }
    refuse("cufftXtMakePlanMany", "a transform of these types", "take float or double, real or complex");
    return CUFFT_INVALID_TYPE;
}

extern "C" cufftResult cufftXtExec(cufftHandle handle, void *input, void *output, int direction)
{
    const plan *p = find(handle);
    if (!p || !p->made)
        return CUFFT_INVALID_PLAN;
    const cufftType type = p->of.type;
    if (fft::is_real_in(type) || fft::is_real_out(type))
        direction = fft::is_real_out(type) ? CUFFT_INVERSE : CUFFT_FORWARD;
    return execute("cufftXtExec", handle, type, input, output, direction);
}

extern "C" cufftResult cufftXtSetCallback(cufftHandle, void **, cufftXtCallbackType, void **)
{
    return refuse("cufftXtSetCallback", "a callback of cuFFT", "run a kernel before or after the transform");
}

extern "C" cufftResult cufftXtSetGPUs(cufftHandle, int, int *)
{
    return refuse("cufftXtSetGPUs", "a transform on several GPUs", "make a plan without it");
}
