// kind: race
// at: @pushed
// Threads push nodes onto a list: two of them may take the same head.
struct Node {
    int value;
    Node *next;
};

__device__ Node *head;

__global__ void push(Node *nodes, bool bad)
{
    Node *node = nodes + blockIdx.x * blockDim.x + threadIdx.x;
    node->value = threadIdx.x;
    if (bad) {
        node->next = head; // @pushed
        head = node;
    } else {
        const auto old = atomicExch(reinterpret_cast<unsigned long long *>(&head),
                                    reinterpret_cast<unsigned long long>(node));
        node->next = reinterpret_cast<Node *>(old);
    }
}

__global__ void count(int *length)
{
    *length = 0;
    for (Node *node = head; node; node = node->next)
        ++*length;
}

int main(int argc, char **)
{
    Node *nodes;
    int *length;
    cudaMalloc(&nodes, 8 * sizeof *nodes);
    cudaMallocManaged(&length, sizeof *length);
    push<<<8, 1>>>(nodes, argc > 1);
    count<<<1, 1>>>(length);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || *length == 8;
    cudaFree(nodes);
    cudaFree(length);
    return !right;
}
