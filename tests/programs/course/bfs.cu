// Breadth-first search: level by level over all vertices, then with a queue that atomics fill.
#include "common.h"
#include <queue>

__global__ void level_kernel(const int *rowptr, const int *edges, int *level, int current, int vertices,
                             int *changed)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    const volatile int *now = level; // others give levels meanwhile
    if (v < vertices && now[v] == current)
        for (int e = rowptr[v]; e < rowptr[v + 1]; ++e) {
            int u = edges[e];
            if (now[u] == -1 && atomicCAS(&level[u], -1, current + 1) == -1)
                *changed = 1;
        }
}

__global__ void queue_kernel(const int *rowptr, const int *edges, int *level, int current,
                             const int *frontier, int count, int *next, int *nextCount)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int v = frontier[i];
    for (int e = rowptr[v]; e < rowptr[v + 1]; ++e)
        if (atomicCAS(&level[edges[e]], -1, current + 1) == -1)
            next[atomicAdd(nextCount, 1)] = edges[e];
}

int main()
{
    const int vertices = 2000, degree = 3, source = 0;
    std::vector<int> rowptr(vertices + 1), edges, expected(vertices, -1), level(vertices);
    Random random(8);
    for (int v = 0; v < vertices; v++) {
        rowptr[v] = (int)edges.size();
        for (unsigned k = 0; k < random.next() % (2 * degree); k++)
            edges.push_back(random.next() % vertices);
    }
    rowptr[vertices] = (int)edges.size();
    std::queue<int> queue({source});
    expected[source] = 0;
    for (; !queue.empty(); queue.pop())
        for (int e = rowptr[queue.front()]; e < rowptr[queue.front() + 1]; e++)
            if (expected[edges[e]] < 0) {
                expected[edges[e]] = expected[queue.front()] + 1;
                queue.push(edges[e]);
            }

    int *d_rowptr, *d_edges, *d_level, *flag, *frontier[2];
    CHECK(cudaMalloc(&d_rowptr, rowptr.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_edges, edges.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_level, vertices * sizeof(int)));
    CHECK(cudaMallocManaged(&flag, sizeof(int)));
    for (int **f = frontier; f < frontier + 2; f++)
        CHECK(cudaMalloc(f, vertices * sizeof(int)));
    CHECK(cudaMemcpy(d_rowptr, rowptr.data(), rowptr.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_edges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));

    bool good = true;
    for (int version = 0; version < 2; version++) {
        CHECK(cudaMemset(d_level, -1, vertices * sizeof(int)));
        CHECK(cudaMemset(d_level + source, 0, sizeof(int)));
        CHECK(cudaMemcpy(frontier[0], &source, sizeof(int), cudaMemcpyHostToDevice));
        int depth = 0, count = 1;
        do {
            *flag = 0;
            if (version == 0)
                level_kernel<<<(vertices + 255) / 256, 256>>>(d_rowptr, d_edges, d_level, depth, vertices,
                                                              flag);
            else
                queue_kernel<<<(count + 63) / 64, 64>>>(d_rowptr, d_edges, d_level, depth,
                                                        frontier[depth % 2], count, frontier[(depth + 1) % 2],
                                                        flag);
            CHECK_KERNEL();
            count = *flag;
            depth++;
        } while (count > 0);
        CHECK(cudaMemcpy(level.data(), d_level, vertices * sizeof(int), cudaMemcpyDeviceToHost));
        good &= level == expected;
        printf("version %d: %d levels\n", version, depth);
    }
    CHECK(cudaFree(d_rowptr));
    CHECK(cudaFree(d_edges));
    CHECK(cudaFree(d_level));
    CHECK(cudaFree(flag));
    CHECK(cudaFree(frontier[0]));
    CHECK(cudaFree(frontier[1]));
    return report(good);
}
