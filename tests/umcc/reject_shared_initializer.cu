// umcc: 4:5: a __shared__ variable cannot be initialized
__global__ void k(int *p)
{
    __shared__ int sum = 0;
    p[0] = sum;
}
