// kind: refused call
// at: @call
// The size of a copy is that of the padded array, and the device has the array alone.
#include <vector>

int main(int argc, char **)
{
    std::vector<float> padded(1024);
    const size_t used = 1000 * sizeof(float), all = padded.size() * sizeof(float);
    float *x;
    cudaMalloc(&x, used);
    cudaMemcpy(x, padded.data(), argc > 1 ? all : used, cudaMemcpyHostToDevice); // @call
    cudaFree(x);
    return 0;
}
