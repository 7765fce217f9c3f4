// expect: Error: threads 0..31, 64..95 pass a barrier by at which others wait
// expect: at @barrier in kernel rotate, in block (0,0,0)
// expect: They left the `if` or loop at @loop without coming to it
// expect: They came to 3 barriers, the last on this line, and the others come to it again
// expect: as many turns in each thread
// A loop with a barrier makes another number of turns in every other warp.
__global__ void rotate(int *x, bool uneven)
{
    __shared__ int tile[128];
    const int i = (int)threadIdx.x, turns = uneven && i / 32 % 2 == 0 ? 3 : 4;
    for (int turn = 0; turn < turns; turn++) { // @loop
        tile[i] = turn;
        __syncthreads(); // @barrier
    }
    x[i] = tile[i];
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 128 * sizeof *x);
    rotate<<<1, 128>>>(x, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
