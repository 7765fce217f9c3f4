// kind: leak
// at: @made
// An owner of memory takes over another one's, and forgets its own.
struct owner {
    int *data = nullptr;
    explicit owner(size_t n)
    {
        cudaMalloc((void **)&data, n * sizeof *data); // @made
    }
    ~owner()
    {
        cudaFree(data);
    }
    void take(owner &from, bool bad)
    {
        if (!bad)
            cudaFree(data);
        data = from.data;
        from.data = nullptr;
    }
};

int main(int argc, char **)
{
    owner a(10), b(20);
    a.take(b, argc > 1);
    cudaMemset(a.data, 0, 80);
    return 0;
}
