// umcc: 5:5: calling the __host__ function "cudaMemcpy" from device code is not allowed
/* A call of CUDA's runtime that device code does not have. */
__device__ void copy(int *to, const int *from)
{
    cudaMemcpy(to, from, 4, cudaMemcpyDeviceToDevice);
}
int main()
{
}
