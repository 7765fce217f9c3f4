/**
 * @file kernel.cu
 * @brief What a Python program hands to NVRTC; bench/compiled.py has it compiled as a module.
 */
extern "C" __global__ void multiply(float *dest, const float *a, const float *b)
{
    const int i = threadIdx.x;
    dest[i] = a[i] * b[i];
}
