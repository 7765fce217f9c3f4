// kind: kernel failed or out of bounds
// A pointer walks along what malloc gave, and is freed where it has come to.
__global__ void count_words(const char *text, int n, int *words, bool bad)
{
    char *copy = (char *)malloc(n), *at = copy;
    for (int i = 0; i < n; i++)
        copy[i] = text[i];
    *words = 0;
    for (; at < copy + n; at++)
        *words += *at == ' ';
    at -= n / 2;
    free(bad ? at : copy);
}

int main(int argc, char **)
{
    const char line[] = "one two three four five six seven eight";
    char *text;
    int *words;
    cudaMalloc(&text, sizeof line);
    cudaMalloc(&words, sizeof *words);
    cudaMemcpy(text, line, sizeof line, cudaMemcpyHostToDevice);
    count_words<<<1, 1>>>(text, sizeof line, words, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(text);
    cudaFree(words);
    return 0;
}
