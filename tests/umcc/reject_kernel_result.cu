// umcc: 3:16: a __global__ function must have a void return type
/* A kernel that returns something. */
__global__ int k(int *p)
{
    return *p;
}
int main()
{
    return 0;
}
