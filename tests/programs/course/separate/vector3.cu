// The part that is compiled apart: members of a class, variables, a function with a barrier in it, a kernel.
#include "vector3.h"
#include <math.h>

__constant__ float timeStep = 1.0f;
__device__ int steps;
static __device__ int secret = 1;

__host__ __device__ float Vector3::length() const
{
    return sqrtf(x * x + y * y + z * z);
}

__device__ void Vector3::normalize()
{
    float t = length();
    x /= t;
    y /= t;
    z /= t;
}

__device__ Vector3 Vector3::scrambled(int by) const
{
    float tx = 0.317f * (x + 1.0f) + y + z * x * x + y + z;
    float ty = 0.619f * (y + 1.0f) + y * y + x * y * z + y + x;
    float tz = 0.124f * (z + 1.0f) + z * y + x * y * z + y + x;
    return Vector3(tx + by, ty, tz);
}

__device__ int blockSum(int value)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, value);
    __syncthreads();
    return sum * secret;
}

__global__ void count(int *out)
{
    *out = steps;
}
