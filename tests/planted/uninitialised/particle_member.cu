// kind: uninitialised
// at: @move
// Particles are made with a place and a mass, and moved by a velocity that nobody has set.
struct particle {
    float3 place, velocity;
    float mass;
};

__global__ void make(particle *all, bool rests)
{
    particle *p = all + threadIdx.x;
    p->place = make_float3(threadIdx.x, 0, 0);
    p->mass = 1;
    if (rests)
        p->velocity = make_float3(0, 0, 0);
}

__global__ void move(particle *all, float dt)
{
    all[threadIdx.x].place.x += dt * all[threadIdx.x].velocity.x; // @move
}

int main(int argc, char **)
{
    particle *all;
    cudaMalloc(&all, 32 * sizeof *all);
    make<<<1, 32>>>(all, argc == 1);
    move<<<1, 32>>>(all, 0.1f);
    cudaDeviceSynchronize();
    cudaFree(all);
    return 0;
}
