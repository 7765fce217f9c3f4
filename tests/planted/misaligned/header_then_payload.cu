// kind: misaligned
// at: @payload
// A message in managed memory has a header of three ints, and its numbers of eight bytes follow at once.
struct header {
    int kind, length, check;
};

__global__ void total(const char *message, size_t size, double *sum)
{
    const header *h = (const header *)message;
    const double *payload = (const double *)(message + size);
    for (int i = 0; i < h->length; i++)
        *sum += payload[i]; // @payload
}

int main(int argc, char **)
{
    char *message;
    double *sum;
    cudaMallocManaged(&message, 128);
    cudaMallocManaged(&sum, sizeof *sum);
    for (int i = 0; i < 128; i++)
        message[i] = 0;
    *sum = 0;
    ((header *)message)->length = 5;
    total<<<1, 1>>>(message, argc > 1 ? sizeof(header) : 16, sum);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaFree(message);
    cudaFree(sum);
    return 0;
}
