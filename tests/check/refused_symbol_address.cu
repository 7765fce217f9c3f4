// errors: 3
// expect: Program hit cudaErrorInvalidValue (error 1) on CUDA API call to cudaMemcpy
// expect: at main in @to
// expect: dst is the address of a __device__ or __constant__ variable, as host code takes it
// expect: cudaMemcpyToSymbol and cudaMemcpyFromSymbol copy a variable
// expect: on CUDA API call to cudaMemset
// expect: devPtr is the address
// expect: on CUDA API call to cudaMemcpy
// expect: at main in @from
// expect: src is the address
// A __device__ variable's address, taken in host code, is not where the variable is. The correct twin has the
// address from cudaGetSymbolAddress, or from the kernel.
__device__ int counter;

__global__ void count(int **where)
{
    atomicAdd(&counter, 1);
    *where = &counter;
}

int main(int argc, char **)
{
    int one = 1, **where, *address = &counter;
    cudaMalloc(&where, sizeof *where);
    if (argc > 1)
        cudaMemcpy(&counter, &one, sizeof one, cudaMemcpyHostToDevice); // @to
    count<<<1, 32>>>(where);
    if (argc == 1)
        cudaMemcpy(&address, where, sizeof address, cudaMemcpyDeviceToHost);
    cudaMemset(address, 0, sizeof one);
    cudaMemcpy(&one, address, sizeof one, cudaMemcpyDeviceToHost); // @from
    cudaFree(where);
    return 0;
}
