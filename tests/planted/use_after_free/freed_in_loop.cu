// kind: refused call
// at: @free
// A scratch buffer is made before a loop, and freed in each of its turns.
__global__ void turn(int *x, int step)
{
    x[threadIdx.x] = step;
}

int main(int argc, char **)
{
    int *x, *scratch;
    cudaMalloc(&x, 128);
    cudaMalloc(&scratch, 128);
    for (int i = 0; i < 3; i++) {
        turn<<<1, 32>>>(x, i);
        if (argc > 1 || i == 2)
            cudaFree(scratch); // @free
    }
    cudaFree(x);
    return 0;
}
