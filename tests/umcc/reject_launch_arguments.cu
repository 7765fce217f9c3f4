// umcc: 13:14: invalid conversion from ‘int’ to ‘int*’
/*
 * A launch over several lines: the message has the argument's own.
 */
__global__ void k(int *p, int n)
{
    *p = n;
}
int main()
{
    // clang-format off
    k<<<1,
        1>>>(7,
             8);
    // clang-format on
}
