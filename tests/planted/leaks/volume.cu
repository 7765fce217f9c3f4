// kind: leak
// at: @volume
// Of two volumes the second is not freed: its pointer has been cleared before.
int main(int argc, char **)
{
    const cudaExtent size = make_cudaExtent(64, 4, 3);
    cudaPitchedPtr from, to;
    cudaMalloc3D(&from, size);
    cudaMalloc3D(&to, size); // @volume
    cudaMemset3D(from, 0, size);
    cudaMemset3D(to, 1, size);
    cudaFree(from.ptr);
    const cudaPitchedPtr last = argc > 1 ? cudaPitchedPtr{} : to;
    cudaFree(last.ptr);
    return 0;
}
