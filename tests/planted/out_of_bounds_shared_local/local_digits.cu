// kind: out of bounds
// at: @count
// A thread counts digits in an array of its own, and the text has a letter as well.
__global__ void most_frequent(const char *text, int width, int *digit, bool careful)
{
    int count[10] = {};
    const char *mine = text + threadIdx.x * width;
    for (int i = 0; i < width; i++)
        if (!careful || (mine[i] >= '0' && mine[i] <= '9'))
            count[mine[i] - '0']++; // @count
    int best = 0;
    for (int i = 1; i < 10; i++)
        if (count[i] > count[best])
            best = i;
    digit[threadIdx.x] = best;
}

int main(int argc, char **)
{
    const char lines[] = "1123581321345589"
                         "3141592653589793"
                         "27182818z8459045"
                         "1414213562373095";
    char *text;
    int *digit;
    cudaMalloc(&text, 64);
    cudaMalloc(&digit, 4 * sizeof *digit);
    cudaMemcpy(text, lines, 64, cudaMemcpyHostToDevice);
    most_frequent<<<1, 4>>>(text, 16, digit, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(text);
    cudaFree(digit);
    return 0;
}
