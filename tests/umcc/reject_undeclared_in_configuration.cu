// umcc: 8:9: ‘blocks’ was not declared in this scope
__global__ void k(int *p)
{
    *p = 1;
}
int main()
{
    k<<<blocks, 1>>>(nullptr);
}
