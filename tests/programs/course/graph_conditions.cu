// Graphs that decide while they run: IF, IF with an else, WHILE, SWITCH, and a WHILE within a WHILE. Kernels
// set the condition. Compiled by nvcc it needs -rdc=true.
#include "common.h"

__global__ void set_from(cudaGraphConditionalHandle handle, const int *value)
{
    cudaGraphSetConditional(handle, *value);
}

__global__ void add(int *p, int value)
{
    *p += value;
}

// Counts down; the loop goes on while something is left.
__global__ void count_down(cudaGraphConditionalHandle handle, int *left)
{
    cudaGraphSetConditional(handle, --*left > 0);
}

// Begins the inner loop anew.
__global__ void refill(cudaGraphConditionalHandle inner, int *left, int value)
{
    *left = value;
    cudaGraphSetConditional(inner, value > 0);
}

static int *state; // on the device: [0] what decides, [1] to [4] what was done

static void set_state(int decides)
{
    const int values[5] = {decides, 0, 0, 0, 0};
    CHECK(cudaMemcpy(state, values, sizeof values, cudaMemcpyHostToDevice));
}

static std::vector<int> get_state()
{
    std::vector<int> values(5);
    CHECK(cudaMemcpy(values.data(), state, 5 * sizeof(int), cudaMemcpyDeviceToHost));
    return values;
}

template <class... P>
static cudaGraphNode_t add_kernel(cudaGraph_t graph, const std::vector<cudaGraphNode_t> &after,
                                  void (*kernel)(P...), P... arguments)
{
    cudaGraphNode_t node;
    void *list[] = {&arguments...};
    cudaKernelNodeParams params = {};
    params.func = (void *)kernel;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = list;
    CHECK(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params));
    return node;
}

static std::vector<cudaGraph_t> add_condition(cudaGraph_t graph, const std::vector<cudaGraphNode_t> &after,
                                              cudaGraphConditionalHandle handle,
                                              cudaGraphConditionalNodeType type, unsigned size,
                                              cudaGraphNode_t *node)
{
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    CHECK(cudaGraphAddNode(node, graph, after.data(), NULL, after.size(), &params));
    return std::vector<cudaGraph_t>(params.conditional.phGraph_out, params.conditional.phGraph_out + size);
}

static void launch(cudaGraphExec_t exec, cudaStream_t stream, int decides)
{
    set_state(decides);
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
}

static bool chooses(cudaStream_t stream, cudaGraphConditionalNodeType type, unsigned size)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
    cudaGraphNode_t first =
        add_kernel<cudaGraphConditionalHandle, const int *>(graph, {}, set_from, handle, state);
    std::vector<cudaGraph_t> bodies = add_condition(graph, {first}, handle, type, size, &node);
    for (unsigned i = 0; i < size; i++)
        add_kernel<int *, int>(bodies[i], {}, add, state + 1, 1 << i);
    add_kernel<int *, int>(graph, {node}, add, state + 2, 100);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    bool good = true;
    for (int value = 0; value < 5; value++) {
        launch(exec, stream, value);
        int wanted = type == cudaGraphCondTypeSwitch ? (value < (int)size ? 1 << value : 0)
                     : value                         ? 1
                     : size == 2                     ? 2
                                                     : 0;
        const std::vector<int> found = get_state();
        if (found[1] != wanted || found[2] != 100) {
            printf("type %d, %u graphs, value %d: %d and %d\n", (int)type, size, value, found[1], found[2]);
            good = false;
        }
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return good;
}

static bool repeats(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraph_t body = add_condition(graph, {}, handle, cudaGraphCondTypeWhile, 1, &node)[0];
    cudaGraphNode_t done = add_kernel<int *, int>(body, {}, add, state + 1, 1);
    add_kernel<cudaGraphConditionalHandle, int *>(body, {done}, count_down, handle, state);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    cudaGraphExec_t alone;
    bool good = cudaGraphInstantiate(&alone, body, 0) == cudaErrorNotSupported; // a body belongs to its node
    cudaGetLastError();
    for (int rounds = 1; rounds < 40; rounds += 13) { // each launch begins with the default, 1
        launch(exec, stream, rounds);
        good &= get_state()[1] == rounds;
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return good;
}

// A body that was captured, with a loop inside.
static bool nests(cudaStream_t stream)
{
    cudaGraph_t graph, captured;
    cudaGraphExec_t exec;
    cudaGraphNode_t outer_node, inner_node;
    cudaGraphConditionalHandle outer, inner;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&outer, graph, 1, cudaGraphCondAssignDefault));
    cudaGraph_t body = add_condition(graph, {}, outer, cudaGraphCondTypeWhile, 1, &outer_node)[0];
    CHECK(cudaGraphConditionalHandleCreate(&inner, body));
    cudaGraphNode_t refilled =
        add_kernel<cudaGraphConditionalHandle, int *, int>(body, {}, refill, inner, state + 3, 4);
    cudaGraph_t inner_body =
        add_condition(body, {refilled}, inner, cudaGraphCondTypeWhile, 1, &inner_node)[0];
    CHECK(cudaStreamBeginCaptureToGraph(stream, inner_body, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    add<<<1, 1, 0, stream>>>(state + 1, 1);
    count_down<<<1, 1, 0, stream>>>(inner, state + 3);
    CHECK(cudaStreamEndCapture(stream, &captured));
    bool good = captured == inner_body;
    add_kernel<cudaGraphConditionalHandle, int *>(body, {inner_node}, count_down, outer, state);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    launch(exec, stream, 5);
    good &= get_state()[1] == 20 && get_state()[0] == 0;
    launch(exec, stream, 2);
    good &= get_state()[1] == 8;
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return good;
}

// Two launches in a row without a wait in between, and a handle that belongs to another graph.
static bool follows(cudaStream_t stream)
{
    cudaGraph_t graph, other;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle, foreign;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphCreate(&other, 0));
    CHECK(cudaGraphConditionalHandleCreate(&foreign, other));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraph_t body = add_condition(graph, {}, handle, cudaGraphCondTypeIf, 1, &node)[0];
    cudaGraphNode_t added = add_kernel<int *, int>(body, {}, add, state + 1, 1);
    add_kernel<int *, int>(body, {added}, add, state + 1, 2);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    set_state(0);
    for (int i = 0; i < 3; i++)
        CHECK(cudaGraphLaunch(exec, stream));
    add<<<1, 1, 0, stream>>>(state + 1, 100);
    CHECK(cudaStreamSynchronize(stream));
    bool good = get_state()[1] == 109;
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = foreign;
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 1;
    good &= cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params) != cudaSuccess;
    cudaGetLastError();
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(other));
    return good;
}

int main()
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&state, 5 * sizeof(int)));
    const struct {
        const char *name;
        bool passed;
    } tests[] = {{"if", chooses(stream, cudaGraphCondTypeIf, 1)},
                 {"if and else", chooses(stream, cudaGraphCondTypeIf, 2)},
                 {"switch", chooses(stream, cudaGraphCondTypeSwitch, 4)},
                 {"while", repeats(stream)},
                 {"while within while", nests(stream)},
                 {"launches in a row", follows(stream)}};
    bool good = true;
    for (const auto &test : tests) {
        printf("%s: %s\n", test.name, test.passed ? "ok" : "wrong");
        good &= test.passed;
    }
    CHECK(cudaFree(state));
    return report(good);
}
