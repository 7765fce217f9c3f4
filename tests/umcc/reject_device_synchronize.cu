// umcc: 5:6: calling the __host__ function "cudaDeviceSynchronize" from device code is not allowed: CUDA 12
/* Device code cannot wait for its children any more. */
__global__ void k(int *)
{
    (cudaDeviceSynchronize());
}
int main()
{
    k<<<1, 1>>>(nullptr);
}
