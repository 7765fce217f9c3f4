// kind: out of bounds
// at: @next
// A list is given back node by node, and the next node is looked up in the one that is gone.
struct node {
    int value;
    node *next;
};

__global__ void build_and_drop(int length, int *sum, bool careful)
{
    node *head = nullptr;
    for (int i = 0; i < length; i++) {
        node *made = (node *)malloc(sizeof(node));
        made->value = i;
        made->next = head;
        head = made;
    }
    *sum = 0;
    while (head) {
        *sum += head->value;
        node *gone = head;
        if (careful) {
            head = head->next;
            free(gone);
        } else {
            free(gone);
            head = gone->next; // @next
        }
    }
}

int main(int argc, char **)
{
    int *sum;
    cudaMalloc(&sum, sizeof *sum);
    build_and_drop<<<1, 1>>>(3, sum, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(sum);
    return 0;
}
