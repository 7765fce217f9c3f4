// umcc: 7:32: ‘missing’ was not declared in this scope
/* What umcc puts into a kernel moves no line and no column. */
template <class T> __global__ void k(T *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = T(n) * i + (int)missing;
}
int main()
{
    k<<<1, 1>>>((int *)nullptr, 1);
}
