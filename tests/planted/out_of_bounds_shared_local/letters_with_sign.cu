// kind: out of bounds
// at: @count
// Letters are counted in shared memory; those beyond 127 are negative in a plain char.
#include <cstring>

__global__ void count(const char *text, int n, int *result, bool is_signed)
{
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const int letter = is_signed ? (signed char)text[i] : (unsigned char)text[i];
        atomicAdd(&bins[letter], 1); // @count
    }
    __syncthreads();
    result[threadIdx.x] = bins[threadIdx.x];
}

int main(int argc, char **)
{
    const char words[] = "gr\xc3\xbc\xc3\x9f dich, kernel";
    const int n = strlen(words);
    char *text;
    int *result;
    cudaMalloc(&text, n);
    cudaMalloc(&result, 256 * sizeof *result);
    cudaMemcpy(text, words, n, cudaMemcpyHostToDevice);
    count<<<1, 256>>>(text, n, result, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(text);
    cudaFree(result);
    return 0;
}
