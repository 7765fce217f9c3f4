// kind: out of bounds
// at: @visit
// Chains of nodes end with -1, and the loop looks for that only after it has used the node.
struct node {
    int value, next;
};

__global__ void add_up(const node *nodes, const int *heads, int *sums, bool careful)
{
    int at = heads[threadIdx.x], sum = 0;
    if (careful && at < 0) {
        sums[threadIdx.x] = 0;
        return;
    }
    do {
        sum += nodes[at].value; // @visit
        at = nodes[at].next;
    } while (at >= 0);
    sums[threadIdx.x] = sum;
}

int main(int argc, char **)
{
    const node list[4] = {{1, 2}, {2, -1}, {3, 1}, {4, -1}};
    const int first[4] = {0, 3, -1, 1}; // the third chain is empty
    node *nodes;
    int *heads, *sums;
    cudaMalloc(&heads, sizeof first);
    cudaMalloc(&nodes, sizeof list);
    cudaMalloc(&sums, sizeof first);
    cudaMemcpy(nodes, list, sizeof list, cudaMemcpyHostToDevice);
    cudaMemcpy(heads, first, sizeof first, cudaMemcpyHostToDevice);
    add_up<<<1, 4>>>(nodes, heads, sums, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(heads);
    cudaFree(nodes);
    cudaFree(sums);
    return 0;
}
