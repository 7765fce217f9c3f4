// kind: refused call
// at: @call
// A row's pitch on the host is given in elements: less than its width in bytes.
int main(int argc, char **)
{
    const int width = 20, height = 4;
    int h[width * height] = {}, *x;
    size_t pitch;
    cudaMallocPitch((void **)&x, &pitch, width * sizeof(int), height);
    const size_t of_host = argc > 1 ? width : width * sizeof(int);
    cudaMemcpy2D(x, pitch, h, of_host, width * sizeof(int), height, cudaMemcpyHostToDevice); // @call
    cudaFree(x);
    return 0;
}
