// umcc: 8:6: a launch needs at least the grid's and the block's size
__global__ void k(int *p)
{
    *p = 1;
}
int main()
{
    k<<<1>>>(nullptr);
}
