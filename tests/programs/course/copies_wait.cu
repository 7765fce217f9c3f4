/**
 * @file copies_wait.cu
 * @brief Copies and fills in which managed memory takes part wait for what was launched before them.
 *
 * A kernel takes its time, then writes. A call that comes behind it in the stream and waits has the host see
 * what the kernel wrote, without a synchronisation. Only between two arrays of cudaMalloc a cudaMemcpy()
 * returns at once.
 */
#include "common.h"

enum { COUNT = 256, BYTES = COUNT * sizeof(int) };
__device__ __managed__ int of_file[COUNT];
__device__ int on_device[COUNT];

__global__ void write_late(int *out, int value)
{
    const long long begin = clock64();
    while (clock64() - begin < 30000000)
        ;
    for (int i = 0; i < COUNT; i++)
        out[i] = value;
}

static int wrong, value;

/** The host sees at once what the kernel before the call wrote to managed memory, and what the call copied of
 * it. */
static void sees(const char *what, const int *written, const int *copied)
{
    const bool right = written[COUNT - 1] == value && (!copied || copied[COUNT - 1] == value);
    if (!right)
        printf("%s: the host sees %d and %d instead of %d\n", what, written[COUNT - 1],
               copied ? copied[COUNT - 1] : 0, value);
    wrong += !right;
    CHECK_KERNEL();
}

int main()
{
    int *a, *b, *device, *pinned, pageable[COUNT];
    CHECK(cudaMallocManaged(&a, BYTES));
    CHECK(cudaMallocManaged(&b, BYTES));
    CHECK(cudaMalloc(&device, BYTES));
    CHECK(cudaMallocHost(&pinned, BYTES));
    const cudaMemcpyKind kinds[] = {cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                                    cudaMemcpyDeviceToDevice, cudaMemcpyDefault};
    for (cudaMemcpyKind kind : kinds) {
        write_late<<<1, 1>>>(a, ++value);
        CHECK(cudaMemcpy(b, a, BYTES, kind));
        sees("managed to managed", a, b);
        write_late<<<1, 1>>>(a, ++value);
        CHECK(cudaMemcpy(of_file, a, BYTES, kind));
        sees("managed to a managed variable", a, of_file);
        write_late<<<1, 1>>>(a, ++value);
        CHECK(cudaMemcpy2D(b, 64, a, 64, 64, BYTES / 64, kind));
        sees("rows of managed to managed", a, b);
        if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault) {
            write_late<<<1, 1>>>(a, ++value);
            CHECK(cudaMemcpy(device, a, BYTES, kind));
            sees("managed to device", a, nullptr);
            write_late<<<1, 1>>>(a, ++value);
            CHECK(cudaMemcpyToSymbol(on_device, a, BYTES, 0, kind));
            sees("managed to a device's variable", a, nullptr);
        }
        if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault) {
            write_late<<<1, 1>>>(device, ++value);
            CHECK(cudaMemcpy(a, device, BYTES, kind));
            sees("device to managed", a, nullptr);
        }
        if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDefault) {
            write_late<<<1, 1>>>(a, ++value);
            CHECK(cudaMemcpy(pageable, a, BYTES, kind));
            sees("managed to pageable", a, pageable);
            write_late<<<1, 1>>>(a, ++value);
            CHECK(cudaMemcpy(pinned, a, BYTES, kind));
            sees("managed to pinned", a, pinned);
        }
    }
    write_late<<<1, 1>>>(a, ++value);
    CHECK(cudaMemset(b, 0, BYTES));
    sees("a fill of managed memory", a, nullptr);
    cudaMemcpy3DParms box = {};
    box.srcPtr = make_cudaPitchedPtr(a, 64, 64, BYTES / 64);
    box.dstPtr = make_cudaPitchedPtr(b, 64, 64, BYTES / 64);
    box.extent = make_cudaExtent(64, BYTES / 64, 1);
    box.kind = cudaMemcpyDefault;
    write_late<<<1, 1>>>(a, ++value);
    CHECK(cudaMemcpy3D(&box));
    sees("a box of managed to managed", a, b);
    write_late<<<1, 1>>>(a, ++value);
    CHECK(cudaMemcpyPeer(b, 0, a, 0, BYTES));
    sees("managed to managed, by devices", a, b);
    write_late<<<1, 1>>>(a, ++value);
    CHECK(cudaMemset2D(b, 64, 0, 64, BYTES / 64));
    sees("a fill of rows", a, nullptr);
    write_late<<<1, 1>>>(a, ++value);
    CHECK(cudaMemset3D(box.dstPtr, 0, box.extent));
    sees("a fill of a box", a, nullptr);
    write_late<<<1, 1>>>(a, ++value);
    CHECK(cudaMemcpyAsync(b, a, BYTES, cudaMemcpyDeviceToHost));
    sees("asynchronous, to a managed array that is called the host's", a, b);
    printf("Test %s\n", wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
