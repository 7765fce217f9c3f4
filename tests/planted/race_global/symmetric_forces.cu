// kind: race
// at: @other
// A pair of bodies is computed once, and the force is added to both: another thread adds to the other one,
// too.
struct Body {
    float x, force;
};

__global__ void forces(Body *bodies, int n, bool bad)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = bad ? i + 1 : 0; k < n; k++) {
        const float force = k == i ? 0 : 1 / (bodies[k].x - bodies[i].x);
        sum += force;
        if (bad)
            bodies[k].force -= force; // @other
    }
    bodies[i].force += sum; // @mine
}

int main(int argc, char **)
{
    Body *bodies;
    cudaMallocManaged(&bodies, 50 * sizeof *bodies);
    for (int i = 0; i < 50; i++)
        bodies[i] = Body{i * 2.0f, 0};
    forces<<<4, 16>>>(bodies, 50, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(bodies);
    return 0;
}
