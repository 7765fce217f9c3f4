// expect: kernel twice freed what malloc() or new in a kernel did not give it, or freed it twice
// errors: 1
// What the simulator tells of a kernel that fails counts: memory that the kernel frees twice.
__global__ void twice(bool bad)
{
    void *p = malloc(64);
    free(p);
    if (bad)
        free(p);
}

int main(int argc, char **)
{
    twice<<<1, 1>>>(argc > 1);
    cudaDeviceSynchronize();
    return 0;
}
