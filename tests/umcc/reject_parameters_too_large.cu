// umcc: 8: the kernel's parameters take more than 4096 bytes
struct large {
    char bytes[5000];
};
template <class T> __global__ void k(T value, int *p)
{
    *p = value.bytes[0];
}
int main()
{
    k<<<1, 1>>>(large(), nullptr);
}
