// kind: leak
// at: @node
// A list in managed memory: its head is freed, its other nodes are not.
struct node {
    int value;
    node *next;
};

__global__ void sum(const node *list, int *total)
{
    for (*total = 0; list; list = list->next)
        *total += list->value;
}

int main(int argc, char **)
{
    node *head = nullptr;
    int *total;
    cudaMallocManaged(&total, sizeof *total);
    for (int i = 0; i < 3; i++) {
        node *made;
        cudaMallocManaged(&made, sizeof *made); // @node
        *made = {i, head};
        head = made;
    }
    sum<<<1, 1>>>(head, total);
    cudaDeviceSynchronize();
    while (head) {
        node *next = head->next;
        cudaFree(head);
        head = argc > 1 ? nullptr : next;
    }
    cudaFree(total);
    return 0;
}
