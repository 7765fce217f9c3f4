// umcc: 8:6: a kernel that launches kernels has to be compiled with -rdc=true
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
