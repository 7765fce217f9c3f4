// expect: Invalid __local__ write of size 4 bytes
// expect: in local_array.cu:17
// expect: by thread (0,0,0) in block (0,0,0)
// expect: Index 4 is outside of an array of type int [4]
// expect: and 31 more like it
// expect: Behind it lie the thread's other variables
// expect: Invalid __local__ read of size 4 bytes
// expect: in local_array.cu:19
// expect: is beyond the end of a local variable
// errors: 2
// A thread's own array is one too short; what is read is reached by a pointer. Neither a row of a matrix that
// is used like one long row nor an address beyond an array is told.
__global__ void sort(const int *x, int *out, int last)
{
    int mine[4], matrix[2][3] = {}, two[6] = {};
    for (int i = 0; i <= last; i++)
        mine[i] = x[i]; // @written
    const int *p = two;
    int sum = p[last < 4 ? 5 : 6];
    for (int i = 0; i < 6; i++)
        sum += (&matrix[0][0])[i] + p[i];
    out[threadIdx.x] = sum + mine[threadIdx.x % 4];
}

int main(int argc, char **)
{
    int *x;
    cudaMalloc(&x, 64 * sizeof *x);
    cudaMemset(x, 0, 64 * sizeof *x);
    sort<<<1, 32>>>(x, x + 32, argc > 1 ? 4 : 3);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
