// kind: race
// at: @struck
// A sieve keeps a bit for each number: threads that strike different numbers out change the same word.
__global__ void strike(unsigned *composite, int n, bool bad)
{
    const int prime = 2 + blockIdx.x * blockDim.x + threadIdx.x;
    if (prime * prime >= n)
        return;
    for (int k = prime * prime; k < n; k += prime) {
        if (bad)
            composite[k / 32] |= 1u << k % 32; // @struck
        else
            atomicOr(&composite[k / 32], 1u << k % 32);
    }
}

int main(int argc, char **)
{
    unsigned *composite, host[16];
    cudaMalloc(&composite, 16 * sizeof *composite);
    cudaMemset(composite, 0, 16 * sizeof *composite);
    strike<<<6, 4>>>(composite, 512, argc > 1);
    cudaMemcpy(host, composite, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(composite);
    return argc == 1 && (host[0] >> 4) % 4 != 1;
}
