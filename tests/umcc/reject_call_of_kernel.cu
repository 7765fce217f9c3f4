// umcc: 11:5: a call of kernel "k" needs its launch configuration
/* A kernel that is called as a function. */
#include "check.h"

static __global__ void k(int *p)
{
    *p = 1;
}
int main()
{
    k(nullptr);
    return finish();
}
