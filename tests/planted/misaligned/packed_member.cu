// kind: misaligned
// at: @add
// A pointer to a member of a packed structure is used like any other.
#pragma pack(push, 1)
struct packet {
    char type;
    float load;
    short port;
    char rest;
};
#pragma pack(pop)

__device__ void add(float *to, float value)
{
    *to += value; // @add
}

__global__ void charge(packet *packets, bool careful)
{
    packet *p = packets + threadIdx.x;
    if (careful)
        p->load += 1;
    else
        add((float *)((char *)p + 1), 1);
}

int main(int argc, char **)
{
    packet *packets;
    cudaMalloc(&packets, 32 * sizeof *packets);
    cudaMemset(packets, 0, 32 * sizeof *packets);
    charge<<<1, 32>>>(packets, argc == 1);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(packets);
    return 0;
}
