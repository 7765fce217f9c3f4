// Vector addition, with the memory in every way in which a program can get it: separate host and device
// arrays, page-locked host arrays, host arrays mapped into the device's addresses, registered ones, and
// managed memory.
#include "common.h"

__global__ void vectorAdd(const float *A, const float *B, float *C, int numElements)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < numElements) {
        C[i] = A[i] + B[i];
    }
}

const int N = 50000;
const size_t BYTES = N * sizeof(float);

static void fill(float *a, float *b)
{
    for (int i = 0; i < N; ++i) {
        a[i] = i * 0.5f;
        b[i] = 2.0f * i;
    }
}

static bool verify(const char *kind, const float *c)
{
    for (int i = 0; i < N; ++i) {
        if (fabsf(c[i] - 2.5f * i) > 1e-5f * i) {
            fprintf(stderr, "%s: wrong at %d: %f\n", kind, i, c[i]);
            return false;
        }
    }
    printf("%-10s ok\n", kind);
    return true;
}

static void launch(const float *a, const float *b, float *c)
{
    int threadsPerBlock = 256;
    int blocksPerGrid = (N + threadsPerBlock - 1) / threadsPerBlock;
    vectorAdd<<<blocksPerGrid, threadsPerBlock>>>(a, b, c, N);
    CHECK(cudaGetLastError());
}

static bool explicitCopies(bool pinned)
{
    float *h_A = NULL, *h_B = NULL, *h_C = NULL;
    float *d_A = NULL, *d_B = NULL, *d_C = NULL;
    if (pinned) {
        CHECK(cudaMallocHost((void **)&h_A, BYTES));
        CHECK(cudaMallocHost((void **)&h_B, BYTES));
        CHECK(cudaHostAlloc((void **)&h_C, BYTES, cudaHostAllocDefault));
    } else {
        h_A = (float *)malloc(BYTES);
        h_B = (float *)malloc(BYTES);
        h_C = (float *)malloc(BYTES);
    }
    fill(h_A, h_B);
    CHECK(cudaMalloc((void **)&d_A, BYTES));
    CHECK(cudaMalloc((void **)&d_B, BYTES));
    CHECK(cudaMalloc((void **)&d_C, BYTES));
    CHECK(cudaMemcpy(d_A, h_A, BYTES, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_B, h_B, BYTES, cudaMemcpyHostToDevice));
    launch(d_A, d_B, d_C);
    CHECK(cudaMemcpy(h_C, d_C, BYTES, cudaMemcpyDeviceToHost));
    bool good = verify(pinned ? "pinned" : "pageable", h_C);
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_C));
    if (pinned) {
        CHECK(cudaFreeHost(h_A));
        CHECK(cudaFreeHost(h_B));
        CHECK(cudaFreeHost(h_C));
    } else {
        free(h_A);
        free(h_B);
        free(h_C);
    }
    return good;
}

static bool mapped()
{
    float *a, *b, *c, *d_a, *d_b, *d_c;
    unsigned int flags = cudaHostAllocMapped | cudaHostAllocPortable;
    CHECK(cudaHostAlloc(&a, BYTES, flags));
    CHECK(cudaHostAlloc(&b, BYTES, flags | cudaHostAllocWriteCombined));
    CHECK(cudaHostAlloc(&c, BYTES, flags));
    fill(a, b);
    CHECK(cudaHostGetDevicePointer(&d_a, a, 0));
    CHECK(cudaHostGetDevicePointer(&d_b, b, 0));
    CHECK(cudaHostGetDevicePointer(&d_c, c, 0));
    launch(d_a, d_b, d_c);
    CHECK(cudaDeviceSynchronize());
    bool good = verify("mapped", c);
    CHECK(cudaFreeHost(a));
    CHECK(cudaFreeHost(b));
    CHECK(cudaFreeHost(c));
    return good;
}

static bool registered()
{
    std::vector<float> a(N), b(N), c(N);
    fill(a.data(), b.data());
    float *d[3], *h[3] = {a.data(), b.data(), c.data()};
    for (int i = 0; i < 3; i++) {
        CHECK(cudaHostRegister(h[i], BYTES, cudaHostRegisterMapped));
        CHECK(cudaHostGetDevicePointer((void **)&d[i], h[i], 0));
    }
    launch(d[0], d[1], d[2]);
    CHECK(cudaDeviceSynchronize());
    for (float *p : h)
        CHECK(cudaHostUnregister(p));
    return verify("registered", c.data());
}

static bool managed()
{
    float *a, *b, *c;
    CHECK(cudaMallocManaged(&a, BYTES));
    CHECK(cudaMallocManaged(&b, BYTES, cudaMemAttachGlobal));
    CHECK(cudaMallocManaged(&c, BYTES));
    fill(a, b);
    launch(a, b, c);
    CHECK(cudaDeviceSynchronize());
    bool good = verify("managed", c);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return good;
}

int main(void)
{
    printf("[Vector addition of %d elements]\n", N);
    bool good = explicitCopies(false);
    good &= explicitCopies(true);
    good &= mapped();
    good &= registered();
    good &= managed();
    return report(good);
}
