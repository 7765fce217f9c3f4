// kind: out of bounds
// at: @ahead
// Each body adds up the pull of all others, and fetches the next one ahead of time: in the last turn there is
// none.
struct body {
    float x, y, z, mass;
};

__global__ void pull(const body *bodies, float *potential, int n, bool careful)
{
    const int i = threadIdx.x;
    const float at = bodies[i].x;
    body other = bodies[0];
    float sum = 0;
    for (int j = 0; j < n; j++) {
        const float d = other.x - at;
        sum += other.mass / (d * d + 1e-3f);
        if (!careful || j + 1 < n)
            other = bodies[j + 1]; // @ahead
    }
    potential[i] = sum;
}

int main(int argc, char **)
{
    const int n = 64;
    body *bodies;
    float *potential;
    cudaMalloc(&bodies, n * sizeof(body));
    cudaMalloc(&potential, n * sizeof(float));
    cudaMemset(bodies, 0, n * sizeof(body));
    pull<<<1, n>>>(bodies, potential, n, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(bodies);
    cudaFree(potential);
    return 0;
}
