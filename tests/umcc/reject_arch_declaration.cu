// umcc: 3:1: this declaration is another one where __CUDA_ARCH__ is not defined
#ifdef __CUDA_ARCH__
__constant__ float pi = 3;
#else
static float pi = 3;
#endif
__global__ void k(float *p)
{
    *p = pi;
}
