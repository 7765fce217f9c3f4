// kind: host beside a kernel
// at: @residual
// A solver's loop looks at the residual of a step that may not be over.
__global__ void step(float *x, float *residual)
{
    float change = 0;
    for (int i = 0; i < 64; i++) {
        change += x[i] / 2;
        x[i] /= 2;
    }
    *residual = change;
}

int main(int argc, char **)
{
    float *x;
    cudaMallocManaged(&x, 65 * sizeof *x);
    for (int i = 0; i < 65; i++)
        x[i] = 8;
    for (int turn = 0; turn < 20; turn++) {
        step<<<1, 1>>>(x, x + 64);
        if (argc == 1)
            cudaDeviceSynchronize();
        if (x[64] < 0.5f) // @residual
            break;
    }
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
