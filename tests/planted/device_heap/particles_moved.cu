// kind: out of bounds
// at: @last
// Particles of the heap swap with the last one when they die; the last one is at n - 1, not at n.
#include <cstring>

struct particle {
    float position[3], age;
};

__global__ void kill_oldest(int *alive, int n, int last)
{
    particle *all = new particle[n];
    memset(all, 0, n * sizeof *all);
    for (int i = 0; i < n; i++)
        all[i].age = i * 5 % n;
    for (int i = 0; i < n; i++)
        if (all[i].age > n - 2)
            all[i] = all[last]; // @last
    *alive = n - 1;
    delete[] all;
}

int main(int argc, char **)
{
    int *alive;
    cudaMalloc(&alive, sizeof *alive);
    kill_oldest<<<1, 1>>>(alive, 12, argc > 1 ? 12 : 11);
    cudaDeviceSynchronize();
    cudaFree(alive);
    return 0;
}
