/**
 * @file vector3.h
 * @brief A vector whose members are device functions of another file (vector3.cu).
 */
#ifndef COURSE_VECTOR3_H
#define COURSE_VECTOR3_H

class Vector3
{
  public:
    float x, y, z;

    __host__ __device__ Vector3() : x(0), y(0), z(0)
    {
    }
    __host__ __device__ Vector3(float a, float b, float c) : x(a), y(b), z(c)
    {
    }
    __host__ __device__ float length() const;
    __device__ void normalize();
    __device__ Vector3 scrambled(int by) const;
};

/* Defined in vector3.cu, used by kernels of other files. */
extern __constant__ float timeStep;
extern __device__ int steps;
__device__ int blockSum(int value);
__global__ void count(int *out);

#endif
