// kind: host beside a kernel
// at: @walked
// A kernel changes the nodes of a managed list, and the host walks along it meanwhile.
struct Node {
    int value;
    Node *next;
};

__global__ void twice(Node *head)
{
    for (Node *node = head; node; node = node->next)
        node->value *= 2;
}

int main(int argc, char **)
{
    Node *nodes;
    cudaMallocManaged(&nodes, 10 * sizeof *nodes);
    for (int i = 0; i < 10; i++)
        nodes[i] = {i, i < 9 ? nodes + i + 1 : nullptr};
    twice<<<1, 1>>>(nodes);
    if (argc == 1)
        cudaDeviceSynchronize();
    int sum = 0;
    for (Node *node = nodes; node; node = node->next)
        sum += node->value; // @walked
    cudaDeviceSynchronize();
    cudaFree(nodes);
    return argc == 1 && sum != 90;
}
