/**
 * @file methods.cu
 * @brief Kernels that wait in a method, called in each way there is; and one that only has a variable of such
 * a name. Each reverses the numbers of a block's threads, which is wrong unless all wait.
 */
#include <cstdio>

enum { THREADS = 96 };

struct waits {
    int unused = 0;
    __device__ void run() const
    {
        __syncthreads();
    }
    __device__ static void stand()
    {
        __syncthreads();
    }
    template <int N> __device__ void times() const
    {
        for (int i = 0; i < N; i++)
            __syncthreads();
    }
    friend __device__ void known(const waits &)
    {
        __syncthreads();
    }
};
struct heir : waits {
    __device__ void go() const
    {
        run();
    }
};
struct made {
    __device__ made()
    {
        __syncthreads();
    }
};
struct left {
    __device__ ~left()
    {
        __syncthreads();
    }
};
template <class T> struct outside {
    __device__ void behind() const;
};
template <class T> __device__ void outside<T>::behind() const
{
    __syncthreads();
}
template <class F> __device__ void call(const F &f)
{
    f.run();
}
template <class F> __device__ void call_times(const F &f)
{
    f.template times<2>();
}

#define REVERSES(name, ...)                                                                                  \
    __global__ void name(int *out)                                                                           \
    {                                                                                                        \
        __shared__ int part[THREADS];                                                                        \
        const waits w, *p = &w, &r = w;                                                                      \
        part[threadIdx.x] = threadIdx.x;                                                                     \
        __VA_ARGS__;                                                                                         \
        out[threadIdx.x] = part[THREADS - 1 - threadIdx.x] + w.unused + p->unused + r.unused;                \
    }
REVERSES(by_object, w.run())
REVERSES(by_pointer, p->run())
REVERSES(by_star, (*p).run())
REVERSES(by_reference, (r.run)())
REVERSES(by_class, waits::stand())
REVERSES(by_static_object, w.stand())
REVERSES(by_static_pointer, void (*f)() = w.stand; f())
REVERSES(by_temporary, waits().run())
REVERSES(by_qualified, w.waits::run())
REVERSES(by_member, void (waits::*m)() const = &waits::run; (w.*m)())
REVERSES(by_template, w.times<1>())
REVERSES(by_friend, known(w))
REVERSES(by_heir, heir().go())
REVERSES(by_constructor, made made_here; (void)made_here)
REVERSES(by_destructor, { left l; })
REVERSES(by_outside, outside<int>().behind())
REVERSES(by_function, call(w))
REVERSES(by_functions_template, call_times(w))
REVERSES(by_local_class, struct local : waits { __device__ void go() { run(); } } l; l.go())
REVERSES(
    by_lambda, auto f = [&] __device__() { w.run(); }; f())

/* Nothing is called here: the names are a variable's and a field's. */
struct field {
    int run, stand;
};
__global__ void alone(int *out, field f)
{
    const int run = blockIdx.x * blockDim.x + threadIdx.x, stand = run + 1;
    if (run < THREADS)
        out[run] = THREADS - stand;
}

static int wrong;

static void check(const char *name, void (*kernel)(int *))
{
    int *out, host[THREADS];
    cudaMalloc(&out, sizeof host);
    kernel<<<1, THREADS>>>(out);
    const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    bool right = error == cudaSuccess;
    for (int i = 0; right && i < THREADS; i++)
        right = host[i] == THREADS - 1 - i;
    if (!right)
        printf("%s: %s\n", name, cudaGetErrorString(error));
    wrong += !right;
    cudaFree(out);
}

int main()
{
#define CHECK(name) check(#name, name);
    CHECK(by_object)
    CHECK(by_pointer)
    CHECK(by_star)
    CHECK(by_reference)
    CHECK(by_class)
    CHECK(by_static_object)
    CHECK(by_static_pointer)
    CHECK(by_temporary)
    CHECK(by_qualified)
    CHECK(by_member)
    CHECK(by_template)
    CHECK(by_friend)
    CHECK(by_heir)
    CHECK(by_constructor)
    CHECK(by_destructor)
    CHECK(by_outside)
    CHECK(by_function)
    CHECK(by_functions_template)
    CHECK(by_local_class)
    CHECK(by_lambda)
    return wrong;
}
