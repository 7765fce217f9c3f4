// umcc: 9:17: identifier "factor" is undefined in device code
#include <cstddef>
static float factor = 2;
static const int offset = 1;
__global__ void scale(float *x, size_t n)
{
    size_t i = threadIdx.x;
    if (i < n)
        x[i] *= factor + offset;
}
int main()
{
    scale<<<1, 1>>>(nullptr, 0);
}
