// kind: race
// at: @up or @down
// Reference counts go up by an atomic and down without one.
struct Object {
    int references;
    float weight;
};

__global__ void use(Object *objects, const int *which, float *sum, bool bad)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Object *object = objects + which[i];
    atomicAdd(&object->references, 1); // @up
    sum[i] = object->weight * i;
    if (bad)
        object->references--; // @down
    else
        atomicSub(&object->references, 1);
}

int main(int argc, char **)
{
    Object *objects;
    int *which;
    float *sum;
    cudaMallocManaged(&objects, 4 * sizeof *objects);
    cudaMallocManaged(&which, 64 * sizeof *which);
    cudaMallocManaged(&sum, 64 * sizeof *sum);
    for (int i = 0; i < 4; i++)
        objects[i] = {1, i * 0.5f};
    for (int i = 0; i < 64; i++)
        which[i] = i % 4;
    use<<<4, 16>>>(objects, which, sum, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(objects);
    cudaFree(which);
    cudaFree(sum);
    return 0;
}
