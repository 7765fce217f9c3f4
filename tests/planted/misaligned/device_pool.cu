// kind: misaligned
// at: @store
// A variable of the device is a pool of bytes, in which a node of 12 bytes each is followed by a pointer.
struct node {
    int key;
    node *next;
};

__device__ __align__(16) char pool[1024];

__global__ void link(int size)
{
    node *mine = (node *)(pool + threadIdx.x * size);
    node *other = (node *)(pool + (threadIdx.x + 1) % blockDim.x * size);
    mine->key = threadIdx.x;
    mine->next = other; // @store
}

int main(int argc, char **)
{
    link<<<1, 32>>>(argc > 1 ? 12 : sizeof(node));
    return cudaDeviceSynchronize() != cudaSuccess;
}
