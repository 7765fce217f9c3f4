// umcc: 5:10: "rand" is the host's: device code cannot call it
#include <cstdlib>
__global__ void k(int *p)
{
    *p = rand();
}
