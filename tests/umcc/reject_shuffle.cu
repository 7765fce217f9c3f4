// umcc: 4:12: "__shfl_down_sync" is not provided yet
__global__ void k(int *p)
{
    *p += (__shfl_down_sync(0xffffffff, *p, 1));
}
