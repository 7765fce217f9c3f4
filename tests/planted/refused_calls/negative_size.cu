// kind: refused call
// at: @call
// A size is computed from a number of elements that is negative.
template <typename T> static T *make(int from, int to)
{
    T *x = nullptr;
    cudaMalloc((void **)&x, (to - from) * sizeof(T)); // @call
    return x;
}

int main(int argc, char **)
{
    const bool bad = argc > 1;
    short *x = make<short>(bad ? 90 : 10, bad ? 10 : 90);
    cudaFree(x);
    return 0;
}
