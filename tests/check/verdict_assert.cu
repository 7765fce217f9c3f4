// expect: Assertion
// errors: 1
// What the simulator tells of a kernel that fails counts: an assertion.
#include <cassert>

__global__ void claim(int n)
{
    assert(n == 1);
}

int main(int argc, char **)
{
    claim<<<1, 1>>>(argc);
    cudaDeviceSynchronize();
    return 0;
}
