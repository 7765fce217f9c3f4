// expect: Error: Race reported between
// expect: in @read
// expect: of 4 bytes of __shared__ memory
// errors: 1
// A value is handed on in __shared__ memory by a volatile flag, without a fence between the two.
struct Box {
    volatile int ready[2];
    int value;
};

__device__ int see(volatile int *flag)
{
    return *flag;
}

__global__ void hand_on(int *out, bool bad)
{
    __shared__ Box box;
    if (threadIdx.x == 0)
        box.ready[0] = box.ready[1] = 0;
    __syncthreads();
    if (threadIdx.x == 40) {
        box.value = 7;
        if (!bad)
            __threadfence_block();
        box.ready[1] = 1;
    }
    if (threadIdx.x == 63) {
        while (see(&box.ready[1]) == 0)
            ;
        __threadfence_block();
        out[0] = box.value; // @read
    }
    if (threadIdx.x == 3) { // it waits, and is the first to
        for (;;) {
            if (box.ready[1])
                break;
        }
        __threadfence_block();
        box.ready[0] = 2;
    }
    if (threadIdx.x == 62) {
        int seen;
        do {
            seen = box.ready[0];
        } while (seen != 2);
    }
}

int main(int argc, char **)
{
    int *out;
    cudaMalloc(&out, 4);
    hand_on<<<1, 64>>>(out, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
