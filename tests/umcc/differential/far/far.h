/**
 * @file far.h
 * @brief The same in a header that -isystem finds, as CMake has it for imported targets.
 */
#pragma once
template <class X> __host__ __device__ inline void far_add(X &x, X y)
{
    x += y;
}
struct FarAdd {
    template <class X> __host__ __device__ void operator()(X &x, X y) const
    {
        x += y;
    }
};
template <class X> using FarReference = X &;
#define FAR_ADD(x, y) ((x) += (y))
