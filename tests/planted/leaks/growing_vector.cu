// kind: leak
// at: @grown
// A vector of the device grows into new memory, and keeps the old one.
template <typename T> struct device_vector {
    T *data = nullptr;
    size_t count = 0, space = 0;
    void reserve(size_t wanted, bool bad)
    {
        T *larger;
        cudaMalloc((void **)&larger, wanted * sizeof(T)); // @grown
        if (count)
            cudaMemcpy(larger, data, count * sizeof(T), cudaMemcpyDeviceToDevice);
        if (!bad)
            cudaFree(data);
        data = larger;
        space = wanted;
    }
    void push(const T &value, bool bad)
    {
        if (count == space)
            reserve(2 * space + 4, bad);
        cudaMemcpy(data + count++, &value, sizeof value, cudaMemcpyHostToDevice);
    }
};

int main(int argc, char **)
{
    device_vector<int2> v;
    for (int i = 0; i < 10; i++)
        v.push({i, -i}, argc > 1);
    cudaFree(v.data);
    return 0;
}
