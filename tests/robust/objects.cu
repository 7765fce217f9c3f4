/**
 * @file objects.cu
 * @brief C++ around a GPU: exceptions, containers in managed memory, constructors before main and destructors
 * after it, graphs.
 */
#include "robust.h"

#include <exception>
#include <future>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

/** An allocator of managed memory, for containers. */
template <class T> struct managed_allocator {
    typedef T value_type;
    managed_allocator() = default;
    template <class U> managed_allocator(const managed_allocator<U> &)
    {
    }
    T *allocate(size_t count)
    {
        void *p = NULL;
        if (count > SIZE_MAX / 2 / sizeof(T) || cudaMallocManaged(&p, count * sizeof(T)) != cudaSuccess) {
            (void)cudaGetLastError();
            throw std::bad_alloc();
        }
        return (T *)p;
    }
    void deallocate(T *p, size_t)
    {
        NEED(cudaFree(p));
    }
    bool operator==(const managed_allocator &) const
    {
        return true;
    }
    bool operator!=(const managed_allocator &) const
    {
        return false;
    }
};

template <class T> using managed_vector = std::vector<T, managed_allocator<T>>;

static void containers_in_managed_memory()
{
    managed_vector<int> numbers;
    std::map<int, int, std::less<int>, managed_allocator<std::pair<const int, int>>> squares;

    for (int i = 0; i < 5000; i++) {
        numbers.push_back(i);
        if (i % 500 == 0)
            gpu_adds(numbers.data(), 0, (int)numbers.size());
        if (i < 500)
            squares[i * 7919 % 500] = i;
    }
    gpu_adds(numbers.data(), 1, 5000);
    for (int i = 0; i < 5000; i++)
        HOLDS(numbers[(size_t)i] == i + 1, "element %d: %d", i, numbers[(size_t)i]);
    HOLDS(squares.size() == 500 && squares[7919 % 500] == 1, "the map");
    try {
        numbers.reserve((size_t)1 << 50);
        HOLDS(false, "a petabyte of elements");
    } catch (const std::exception &) {
        HOLDS(numbers[4999] == 5000, "%d", numbers[4999]);
    }
}

struct owner {
    int *x = managed_ints(1000);
    ~owner()
    {
        NEED(cudaFree(x));
    }
};

static int throws_at(int depth)
{
    owner mine;

    add_to_all<<<4, 256>>>(mine.x, depth, 1000); /* not waited for: the destructor does */
    if (depth == 0)
        throw std::runtime_error("from the depth");
    return throws_at(depth - 1) + mine.x[0];
}

static void exceptions_unwind()
{
    for (int i = 0; i < 50; i++) {
        bool caught = false;
        try {
            throws_at(10);
        } catch (const std::runtime_error &error) {
            caught = std::string(error.what()) == "from the depth";
        }
        HOLDS(caught, "round %d", i);
    }
    gpu_works("after them");
}

/* A text of an exception in managed memory, on the GPU while it is thrown through. */
struct managed_error : std::exception {
    const char *text;
    explicit managed_error(const char *t) : text(t)
    {
    }
    const char *what() const noexcept override
    {
        return text;
    }
};

static void exceptions_between_threads()
{
    char *text = (char *)managed_ints(1024);

    strcpy(text, "it lies in managed memory");
    for (int i = 0; i < 20; i++) {
        std::future<int> later = std::async(std::launch::async, [text]() -> int {
            to_gpu(text, 4096);
            throw managed_error(text);
        });
        try {
            later.get();
            HOLDS(false, "no exception");
        } catch (const managed_error &error) {
            to_gpu(text, 4096);
            HOLDS(std::string(error.what()) == "it lies in managed memory", "'%s'", error.what());
        }
    }
}

static void uncaught()
{
    gpu_works("at first");
    throw std::runtime_error("nobody catches this");
}

/** Its constructor runs before main, its destructor after it. */
struct early {
    int *x;
    early() : x(managed_ints(1000))
    {
        gpu_adds(x, 3, 1000);
    }
    int value() const
    {
        return x[999];
    }
    ~early()
    {
        (void)cudaFree(x); /* CUDA does not promise what it answers so late */
    }
};

static void constructors_before_main()
{
    static early late; /* this one when it is first reached */

    HOLDS(late.value() == 3, "%d", late.value());
}

static void virtual_calls_on_managed_objects()
{
    struct shape {
        virtual ~shape() = default;
        virtual int area() const = 0;
    };
    struct square : shape {
        int side;
        explicit square(int s) : side(s)
        {
        }
        int area() const override
        {
            return side * side;
        }
    };
    char *memory = (char *)managed_ints(4096);
    std::vector<shape *> shapes;

    for (int i = 0; i < 500; i++)
        shapes.push_back(new (memory + (size_t)i * 32) square(i));
    for (int turn = 0; turn < 5; turn++) {
        to_gpu(memory, 4096 * sizeof(int));
        for (int i = 0; i < 500; i++)
            HOLDS(shapes[(size_t)i]->area() == i * i, "object %d", i);
    }
    for (shape *each : shapes)
        each->~shape();
}

static void a_graph_of_3000_nodes()
{
    enum { NODES = 3000, BRANCHES = 3 };
    const int launches = robust_times(20, 200);
    int *x = managed_ints(256);
    cudaStream_t streams[BRANCHES];
    cudaEvent_t fork_here, joined[BRANCHES];
    cudaGraph_t graph;
    cudaGraphExec_t ready;

    for (int b = 0; b < BRANCHES; b++) {
        NEED(cudaStreamCreateWithFlags(&streams[b], cudaStreamNonBlocking));
        NEED(cudaEventCreateWithFlags(&joined[b], cudaEventDisableTiming));
    }
    NEED(cudaEventCreateWithFlags(&fork_here, cudaEventDisableTiming));
    NEED(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    NEED(cudaEventRecord(fork_here, streams[0]));
    for (int b = 1; b < BRANCHES; b++)
        NEED(cudaStreamWaitEvent(streams[b], fork_here, 0));
    for (int i = 0; i < NODES; i++)
        add_to_all<<<1, 64, 0, streams[i % BRANCHES]>>>(x + i % BRANCHES * 64, 1, 64);
    for (int b = 1; b < BRANCHES; b++) {
        NEED(cudaEventRecord(joined[b], streams[b]));
        NEED(cudaStreamWaitEvent(streams[0], joined[b], 0));
    }
    NEED(cudaStreamEndCapture(streams[0], &graph));
    NEED(cudaGraphInstantiate(&ready, graph, 0));
    for (int i = 0; i < launches; i++)
        NEED(cudaGraphLaunch(ready, streams[0]));
    NEED(cudaStreamSynchronize(streams[0]));
    for (int i = 0; i < BRANCHES * 64; i++)
        HOLDS(x[i] == launches * NODES / BRANCHES, "element %d: %d", i, x[i]);
    NEED(cudaGraphExecDestroy(ready));
    NEED(cudaGraphDestroy(graph));
}

ROBUST_CASES({"containers-in-managed-memory", containers_in_managed_memory},
             {"exceptions-unwind", exceptions_unwind},
             {"exceptions-between-threads", exceptions_between_threads}, {"uncaught", uncaught},
             {"constructors-before-main", constructors_before_main},
             {"virtual-calls", virtual_calls_on_managed_objects},
             {"a-graph-of-3000-nodes", a_graph_of_3000_nodes})
