/*
 * What programs use without including it, because nvcc brings it, and small headers of the toolkit:
 * cuComplex.h, NVTX.
 */
#include "check.h"

#include <cuComplex.h>
#include <nvtx3/nvToolsExt.h>

struct pair_of_ints {
    int first, second;
    __host__ __device__ pair_of_ints(int a, int b) : first(a), second(b)
    {
    }
};

/* <new> */
template <class T> __global__ void construct(T *where)
{
    new (where + threadIdx.x) T(threadIdx.x, 2 * threadIdx.x);
}

__global__ void complex_numbers(cuComplex *x, cuDoubleComplex *y)
{
    const cuComplex i = make_cuComplex(0, 1);
    x[0] = cuCmulf(i, i);
    x[1] = cuCdivf(make_cuFloatComplex(4, 2), make_cuFloatComplex(1, -1));
    x[2] = cuCaddf(cuConjf(x[1]), cuCsubf(i, x[0]));
    x[3] = make_cuComplex(cuCabsf(make_cuComplex(3e30f, 4e30f)), cuCrealf(x[2]) + cuCimagf(x[2]));
    x[4] = cuCfmaf(i, make_cuComplex(2, 3), make_cuComplex(10, 20));
    y[0] = cuCmul(cuComplexFloatToDouble(i), make_cuDoubleComplex(2, 5));
    y[1] = cuCdiv(make_cuDoubleComplex(1e300, 1e300), make_cuDoubleComplex(1e300, 0));
    y[2] = cuCadd(cuConj(y[0]), cuCsub(y[1], make_cuDoubleComplex(1, 1)));
    y[3] = make_cuDoubleComplex(cuCabs(make_cuDoubleComplex(6, 8)), cuCreal(y[0]) * cuCimag(y[0]));
    y[4] = cuCfma(y[0], make_cuDoubleComplex(0, 1), y[0]);
}

static bool is(cuComplex z, float real, float imaginary)
{
    return z.x == real && z.y == imaginary;
}
static bool is(cuDoubleComplex z, double real, double imaginary)
{
    return z.x == real && z.y == imaginary;
}

static void test_complex()
{
    cuComplex *x = make_managed<cuComplex>(5);
    cuDoubleComplex *y = make_managed<cuDoubleComplex>(5);
    complex_numbers<<<1, 1>>>(x, y);
    SYNC();
    CHECK(is(x[0], -1, 0) && is(x[1], 1, 3) && is(x[2], 2, -2) && is(x[4], 7, 22));
    CHECK(fabsf(x[3].x / 5e30f - 1) < 1e-6f && x[3].y == 0);
    CHECK(is(y[0], -5, 2) && is(y[2], -5, -2) && is(y[3], 10, -10) && is(y[4], -7, -3));
    CHECK(fabs(y[1].x - 1) < 1e-15 && fabs(y[1].y - 1) < 1e-15);
    CHECK(is(cuComplexDoubleToFloat(make_cuDoubleComplex(0.5, 0.25)), 0.5f, 0.25f) && cuCabsf(x[0]) == 1);
}

static void test_nvtx()
{
    nvtxEventAttributes_t attributes = {};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.colorType = NVTX_COLOR_ARGB;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "work";
    nvtxRangePushEx(&attributes);
    nvtxRangePush("inside");
    nvtxMark("here");
    nvtxRangePop();
    nvtxRangePop();
    nvtxRangeEnd(nvtxRangeStart("a range"));
}

int main()
{
    srand(time(NULL));
    const clock_t start = clock();
    pair_of_ints *pairs = nullptr;
    CHECK(cudaMallocManaged(&pairs, 8 * sizeof *pairs) == cudaSuccess);
    construct<<<1, 8>>>(pairs);
    SYNC();
    for (int i = 0; i < 8; i++)
        CHECK(pairs[i].first == i && pairs[i].second == 2 * i);
    test_complex();
    test_nvtx();
    CHECK(clock() >= start);
    return finish();
}
