/**
 * @file kernels.cu
 * @brief Random kernels that access memory in wrong ways, for tests/check/quick.py: what umcc --check tells
 * of them.
 *
 *     kernels SEED LAUNCHES
 *
 * A kernel here plays a script: a list of steps that all threads go through, each by some of them. What a
 * step does depends on the script and the thread's number, never on what was read. So the accesses are the
 * same in each run, however wrong they are: beyond the end, of what nobody wrote, in no order.
 */
#include <cstdio>
#include <cstdlib>

#define STEPS 24
#define SHARED 256 /* bytes */
#define GLOBAL 488

enum what {
    READ,
    AGAIN,
    WRITE,
    SAME,
    ATOMIC,
    VOLATILE_READ,
    VOLATILE_WRITE,
    FENCE,
    FENCE_BLOCK,
    WARP,
    BARRIER,
    WHATS
};

struct step {
    unsigned char what, bytes_log, in_shared, who;
    unsigned short base, by_thread, by_block;
};

struct script {
    unsigned count;
    struct step step[STEPS];
};

static_assert(sizeof(script) < 4000, "a parameter");

/* Two places in the program for each kind of access. */
template <class T> __device__ T make_value(unsigned v)
{
    T value;
    for (unsigned i = 0; i < sizeof value; i++)
        reinterpret_cast<unsigned char *>(&value)[i] = (unsigned char)v;
    return value;
}

template <class T> __device__ void keep(const T &value)
{
    asm volatile("" ::"r"(&value) : "memory");
}

template <class T> __device__ void plain(unsigned char *at, unsigned what, unsigned thread)
{
    T *p = reinterpret_cast<T *>(at);
    if (what == READ) {
        T value = *p;
        keep(value);
    } else if (what == AGAIN) {
        T value = p[0];
        keep(value);
    } else if (what == WRITE) {
        *p = make_value<T>(thread + 1);
    } else {
        *p = make_value<T>(7);
    }
}

__device__ void ordered(unsigned char *at, unsigned what)
{
    unsigned *p = reinterpret_cast<unsigned *>(at);
    if (what == ATOMIC)
        atomicAdd(p, 1u);
    else if (what == VOLATILE_READ)
        keep(*(volatile unsigned *)p);
    else
        *(volatile unsigned *)p = 3;
}

__device__ void access(const step &it, unsigned char *memory, unsigned bytes, unsigned thread, unsigned block)
{
    const unsigned width = it.what >= ATOMIC ? 4 : 1u << it.bytes_log;
    unsigned char *at =
        memory + (it.base + it.by_thread * thread + it.by_block * block) % bytes / width * width;
    if (it.what >= ATOMIC)
        ordered(at, it.what);
    else if (width == 1)
        plain<unsigned char>(at, it.what, thread);
    else if (width == 2)
        plain<unsigned short>(at, it.what, thread);
    else if (width == 4)
        plain<unsigned>(at, it.what, thread);
    else if (width == 8)
        plain<double>(at, it.what, thread);
    else
        plain<float4>(at, it.what, thread);
}

__device__ bool is_asked(unsigned who, unsigned thread)
{
    return who == 0 || (who == 1 && thread % 2) || (who == 2 && thread < 32) || (who == 3 && thread == 5) ||
           (who == 4 && thread / 32 % 2) || (who == 5 && thread % 7 == 0);
}

__device__ unsigned number_in_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__global__ void with_barriers(script its, unsigned char *global)
{
    __shared__ float4 shared[SHARED / sizeof(float4)];
    const unsigned thread = number_in_block();
    for (unsigned i = 0; i < its.count; i++) {
        const step &it = its.step[i];
        if (it.what == BARRIER)
            __syncthreads();
        else if (it.what == WARP)
            __syncwarp();
        else if (!is_asked(it.who, thread))
            continue;
        else if (it.what == FENCE)
            __threadfence();
        else if (it.what == FENCE_BLOCK)
            __threadfence_block();
        else if (it.in_shared)
            access(it, reinterpret_cast<unsigned char *>(shared), SHARED, thread, blockIdx.x);
        else
            access(it, global, GLOBAL + 8, thread, blockIdx.x);
    }
}

__global__ void without(script its, unsigned char *global)
{
    const unsigned thread = number_in_block();
    for (unsigned i = 0; i < its.count; i++) {
        const step &it = its.step[i];
        if (is_asked(it.who, thread) && it.what < FENCE)
            access(it, global, GLOBAL + 8, thread, blockIdx.x);
    }
}

static unsigned long state;

static unsigned any(unsigned below)
{
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(state >> 33) % below;
}

static script any_script()
{
    static const unsigned short strides[] = {0, 0, 1, 2, 4, 4, 4, 4, 8, 16, 12, 488};
    static const unsigned char whats[] = {READ,  READ, READ,    AGAIN,   AGAIN, WRITE,
                                          WRITE, SAME, BARRIER, BARRIER, WARP};
    script its = {};
    its.count = 1 + any(STEPS);
    const unsigned rare = any(3); /* of three scripts one has what orders threads in other ways */
    for (unsigned i = 0; i < its.count; i++) {
        step &it = its.step[i];
        it.what = (unsigned char)(rare == 0 && any(3) == 0 ? any(WHATS) : whats[any(sizeof whats)]);
        it.bytes_log = (unsigned char)(any(3) ? 2 : any(5));
        it.in_shared = (unsigned char)any(2);
        it.who = (unsigned char)(any(2) ? 0 : any(6));
        it.base = (unsigned short)(any(3) ? any(4) * 4 : any(GLOBAL));
        it.by_thread = strides[any(sizeof strides / sizeof *strides)];
        it.by_block = strides[any(sizeof strides / sizeof *strides)];
    }
    return its;
}

int main(int argc, char **argv)
{
    static const dim3 blocks[] = {dim3(1),   dim3(32),      dim3(33),    dim3(64),
                                  dim3(100), dim3(8, 4, 2), dim3(16, 16)};
    cudaStream_t stream[2];
    unsigned char *global[2];
    state = argc > 1 ? strtoul(argv[1], nullptr, 10) : 1;
    const unsigned launches = argc > 2 ? (unsigned)strtoul(argv[2], nullptr, 10) : 50;
    for (int i = 0; i < 2; i++) {
        cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
        cudaMalloc(&global[i], GLOBAL);
        cudaMemset(global[i], 0, any(GLOBAL));
    }
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < launches; i++) {
        const unsigned which = any(2);
        const dim3 block = blocks[any(sizeof blocks / sizeof *blocks)], grid(1 + any(3));
        const script its = any_script();
        if (any(2))
            with_barriers<<<grid, block, 0, stream[any(2)]>>>(its, global[which]);
        else
            without<<<grid, block, 0, stream[any(2)]>>>(its, global[which]);
        cudaDeviceSynchronize();
        if (any(8) == 0) {
            cudaDeviceSynchronize();
            cudaFree(global[which]);
            cudaMalloc(&global[which], GLOBAL);
            cudaMemset(global[which], 0, any(GLOBAL));
        }
    }
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(error));
    return 0;
}
