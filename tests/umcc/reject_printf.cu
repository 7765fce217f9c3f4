// umcc: 5:5: printf in device code is not provided yet
#include <cstdio>
__global__ void k(int *p)
{
    printf("%d\n", *p);
}
