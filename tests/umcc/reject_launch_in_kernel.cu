// umcc: 8:6: a kernel cannot launch another: the simulated GPU has no dynamic parallelism
__global__ void c(int *p)
{
    *p = 1;
}
__global__ void k(int *p)
{
    c<<<1, 1>>>(p);
}
int main()
{
    k<<<1, 1>>>(nullptr);
}
