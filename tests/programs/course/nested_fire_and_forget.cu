/* cudaStreamFireAndForget: children that wait for nothing, and that nothing waits for but the end of their
 * parent. A tree of numbers of different depth is added up: each thread launches a grid for the children of
 * its node, however many there are. */
#include "common.h"

struct Node {
    int value, first_child, children;
};

__global__ void add_nodes(const Node *nodes, int first, int count, unsigned long long *sum, int *errors)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const Node node = nodes[first + i];
    atomicAdd(sum, (unsigned long long)node.value);
    if (node.children == 0)
        return;
    add_nodes<<<(node.children + 31) / 32, 32, 0, cudaStreamFireAndForget>>>(nodes, node.first_child,
                                                                             node.children, sum, errors);
    if (cudaGetLastError() != cudaSuccess)
        atomicAdd(errors, 1);
}

__global__ void give_back(int *mine)
{
    cudaFree(mine);
}

/* What device code may ask of the runtime besides. */
__global__ void memory_of_its_own(int *to, int n)
{
    int *mine;
    if (cudaMalloc(&mine, n * sizeof *mine) != cudaSuccess)
        return;
    for (int i = 0; i < n; i++)
        mine[i] = 3 * i;
    cudaMemcpyAsync(to, mine, n * sizeof *mine, cudaMemcpyDeviceToDevice, 0);
    cudaMemsetAsync(to, 0, sizeof *to * (n / 2), 0); /* the same stream: behind the copy */
    give_back<<<1, 1>>>(mine);
}

int main()
{
    std::vector<Node> nodes(1, Node{1, 0, 0});
    Random random(11);
    size_t level = 0, next = 1;
    for (int depth = 0; depth < 8; depth++) {
        for (size_t i = level; i < next; i++) {
            const int children = depth < 2 ? 6 : (int)(random.next() % 3);
            nodes[i].first_child = (int)nodes.size();
            nodes[i].children = children;
            for (int c = 0; c < children; c++)
                nodes.push_back(Node{(int)(random.next() % 1000), 0, 0});
        }
        level = next;
        next = nodes.size();
    }
    unsigned long long expected = 0, *sum, found = 0;
    for (const Node &node : nodes)
        expected += (unsigned long long)node.value;

    Node *data;
    int *errors, error_count = 0;
    CHECK(cudaMalloc(&data, nodes.size() * sizeof *data));
    CHECK(cudaMalloc(&sum, sizeof *sum));
    CHECK(cudaMalloc(&errors, sizeof *errors));
    CHECK(cudaMemset(sum, 0, sizeof *sum));
    CHECK(cudaMemset(errors, 0, sizeof *errors));
    CHECK(cudaMemcpy(data, nodes.data(), nodes.size() * sizeof *data, cudaMemcpyHostToDevice));
    add_nodes<<<1, 32>>>(data, 0, 1, sum, errors);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&error_count, errors, sizeof error_count, cudaMemcpyDeviceToHost));
    printf("%zu nodes: sum %llu, expected %llu, %d launches failed\n", nodes.size(), found, expected,
           error_count);

    const int n = 1000;
    int *to;
    std::vector<int> got(n);
    CHECK(cudaMalloc(&to, n * sizeof *to));
    memory_of_its_own<<<1, 1>>>(to, n);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(got.data(), to, n * sizeof *to, cudaMemcpyDeviceToHost));
    bool good = found == expected && error_count == 0;
    for (int i = 0; i < n; i++)
        good = good && got[i] == (i < n / 2 ? 0 : 3 * i);
    CHECK(cudaFree(data));
    CHECK(cudaFree(sum));
    CHECK(cudaFree(errors));
    CHECK(cudaFree(to));
    return report(good);
}
