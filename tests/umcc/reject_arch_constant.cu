// umcc: 3:1: this declaration is another one where __CUDA_ARCH__ is not defined
#ifdef __CUDA_ARCH__
const int width = 4;
#else
const int width = 2;
#endif
const int twice = 2 * width; // has two values, too
__global__ void k(int *p)
{
    *p = twice + width;
}
