// kind: refused call
// at: @gone
// An owner of memory is passed by value: its copy's end frees the memory, and so does its own.
struct owner {
    int *data;
    bool counts;
    owner(bool careful) : counts(careful)
    {
        cudaMalloc((void **)&data, 128);
    }
    owner(const owner &from) : data(from.counts ? nullptr : from.data), counts(from.counts)
    {
    }
    ~owner()
    {
        cudaFree(data); // @gone
    }
};

static void look(owner)
{
}

int main(int argc, char **)
{
    owner a(argc == 1);
    cudaMemset(a.data, 0, 128);
    look(a);
    return 0;
}
