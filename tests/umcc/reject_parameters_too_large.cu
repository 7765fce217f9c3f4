// umcc: 8: the kernel's parameters take more bytes than a launch can pass
struct large {
    char bytes[32760];
};
template <class T> __global__ void k(T value, int *p)
{
    *p = value.bytes[0];
}
int main()
{
    k<<<1, 1>>>(large(), nullptr);
}
