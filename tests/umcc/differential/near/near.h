/**
 * @file near.h
 * @brief Functions that change what they get by reference, in a header that -I finds.
 */
#pragma once
template <class X> __device__ inline void near_add(X &x, X y)
{
    x += y;
}
template <class X> __device__ inline void near_add_at(X *x, X y)
{
    *x += y;
}
struct NearAdd {
    template <class X> __device__ void operator()(X &x, X y) const
    {
        x += y;
    }
};
