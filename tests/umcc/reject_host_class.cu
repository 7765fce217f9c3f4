// umcc: 7:10: calling a __host__ function of "std::vector" from device code is not allowed
/* A container of the host's in a kernel. */
#include <vector>

__global__ void k(int *p)
{
    std::vector<int> values(3);
    p[0] = values[0];
}
int main()
{
    std::vector<int> fine(3);
    k<<<1, 1>>>(nullptr);
    return fine[0];
}
