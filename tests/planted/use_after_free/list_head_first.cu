// kind: host fault
// at: @next
// A list of managed nodes is freed from its head on, and the next one is read from the node that is gone.
struct node {
    int value;
    node *next;
};

int main(int argc, char **)
{
    node *head = nullptr;
    for (int i = 0; i < 3; i++) {
        node *made;
        cudaMallocManaged(&made, sizeof *made);
        *made = {i, head};
        head = made;
    }
    while (head) {
        node *next = head->next;
        node *gone = head;
        cudaFree(gone);
        head = argc > 1 ? gone->next : next; // @next
    }
    return 0;
}
