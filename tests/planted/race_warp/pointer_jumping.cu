// kind: race
// at: @jumped
// Pointer jumping in a warp: a lane's next pointer is read by others while it moves it.
struct Node {
    int next, distance;
};

__global__ void rank(Node *list, bool bad)
{
    __shared__ Node node[32];
    const int lane = threadIdx.x;
    node[lane] = list[lane];
    __syncwarp();
    for (int turn = 0; turn < 5; turn++) {
        const Node next = node[node[lane].next]; // @jumped
        const int distance = node[lane].distance + next.distance;
        if (!bad)
            __syncwarp();
        node[lane] = Node{next.next, distance};
        __syncwarp();
    }
    list[lane] = node[lane];
}

int main(int argc, char **)
{
    Node *list;
    cudaMallocManaged(&list, 32 * sizeof *list);
    for (int i = 0; i < 32; i++)
        list[i] = {i ? i - 1 : 0, i ? 1 : 0};
    rank<<<1, 32>>>(list, argc > 1);
    cudaDeviceSynchronize();
    const bool right = argc > 1 || list[31].distance == 31;
    cudaFree(list);
    return !right;
}
