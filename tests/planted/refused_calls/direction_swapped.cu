// kind: refused call
// at: @call
// The result is copied back with the direction of the copy before.
struct point {
    double x, y;
};

int main(int argc, char **)
{
    point h[10] = {}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    const cudaMemcpyKind back = argc > 1 ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    cudaMemcpy(h, d, sizeof h, back); // @call
    cudaFree(d);
    return 0;
}
