// kind: host beside a kernel
// at: @shown
// The host waits for an event between two kernels, and the second one still writes.
struct Particle {
    float position, speed;
};

__global__ void move(Particle *particles)
{
    particles[threadIdx.x].position += particles[threadIdx.x].speed;
}

__global__ void brake(Particle *particles)
{
    particles[threadIdx.x].speed *= 0.5f;
}

int main(int argc, char **)
{
    Particle *particles;
    cudaEvent_t moved;
    cudaMallocManaged(&particles, 40 * sizeof *particles);
    for (int i = 0; i < 40; i++)
        particles[i] = {0, 2};
    cudaEventCreate(&moved);
    move<<<1, 40>>>(particles);
    if (argc > 1)
        cudaEventRecord(moved);
    brake<<<1, 40>>>(particles);
    if (argc == 1)
        cudaEventRecord(moved);
    cudaEventSynchronize(moved);
    const float speed = particles[3].speed; // @shown
    cudaDeviceSynchronize();
    cudaEventDestroy(moved);
    cudaFree(particles);
    return argc == 1 && speed != 1;
}
