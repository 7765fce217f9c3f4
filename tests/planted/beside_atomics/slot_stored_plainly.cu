// kind: race
// at: @exchanged or @emptied
// Slots are filled by atomicExch, and emptied by a plain store of another block.
__global__ void mailbox(int *slots, int *received, bool bad)
{
    const int slot = threadIdx.x;
    if (blockIdx.x == 0) {
        atomicExch(&slots[slot], slot + 1); // @exchanged
    } else if (bad) {
        slots[slot] = 0; // @emptied
        received[slot] = 0;
    } else {
        received[slot] = atomicExch(&slots[slot], 0);
    }
}

int main(int argc, char **)
{
    int *slots;
    cudaMallocManaged(&slots, 64 * sizeof *slots);
    for (int i = 0; i < 64; i++)
        slots[i] = 0;
    mailbox<<<2, 32>>>(slots, slots + 32, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(slots);
    return 0;
}
