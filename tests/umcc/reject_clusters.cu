// umcc: 2:17: clusters of more than one block are not provided (__cluster_dims__(2, 1, 1)): let the blocks
__global__ void __cluster_dims__(2, 1, 1) k(int *p)
{
    p[blockIdx.x] = 1;
}
