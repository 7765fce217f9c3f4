// umcc: 5:5: inline PTX that is not provided: cp.async.ca.shared.global [%0], [%1], 4
__global__ void k(int *p)
{
    __shared__ int s[4];
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)(size_t)s), "l"(p));
    p[2] = s[0];
}
