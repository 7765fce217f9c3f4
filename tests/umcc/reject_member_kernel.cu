// umcc: 5:21: a member function cannot be a kernel
/* A kernel that is a member. */
struct holder {
    int value;
    __global__ void k(int *p)
    {
        *p = value;
    }
};
int main()
{
    return 0;
}
