// kind: out of bounds
// at: @slot
// Threads put work into a queue of the device, and nobody asks whether it is full.
struct job {
    int block, thread;
};

struct job_queue {
    int tail;
    job slot[48];
};

__device__ job_queue queue;

__device__ bool push(job_queue *to, job what, bool careful)
{
    const int at = atomicAdd(&to->tail, 1);
    if (careful && at >= 48)
        return false;
    to->slot[at] = what; // @slot
    return true;
}

__global__ void produce(int *refused, bool careful)
{
    if (!push(&queue, {(int)blockIdx.x, (int)threadIdx.x}, careful))
        atomicAdd(refused, 1);
}

int main(int argc, char **)
{
    int *refused;
    cudaMalloc(&refused, sizeof *refused);
    cudaMemset(refused, 0, sizeof *refused);
    produce<<<2, 32>>>(refused, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(refused);
    return 0;
}
