// Conway's game of life on a torus: a glider has to come back to where it was after 4 * size generations.
#include <stdio.h>
#include <string.h>
#include <stdbool.h>
#include <stdlib.h>

#define SIZE 32
#define CELLS (SIZE * SIZE)
#define ERROR_CHECK(expr)                                                                                    \
    if ((expr) != cudaSuccess) {                                                                             \
        fprintf(stderr, "CUDA error in line %d: %s\n", __LINE__, cudaGetErrorString(cudaGetLastError()));    \
        exit(EXIT_FAILURE);                                                                                  \
    }

__device__ __forceinline__ int wrap(int i)
{
    return (i + SIZE) % SIZE;
}

__global__ void generation(const bool *now, bool *next)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int neighbours = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                neighbours += now[wrap(y + dy) * SIZE + wrap(x + dx)];
    next[y * SIZE + x] = neighbours == 3 || (neighbours == 2 && now[y * SIZE + x]);
}

int main(void)
{
    static bool start[CELLS], end[CELLS];
    static const int glider[][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (int i = 0; i < 5; i++)
        start[glider[i][1] * SIZE + glider[i][0]] = true;
    for (int i = 20; i < 23; i++)
        start[25 * SIZE + i] = true; // a blinker, out of its way

    bool *worlds[2];
    for (int i = 0; i < 2; i++)
        ERROR_CHECK(cudaMalloc((void **)&worlds[i], sizeof start));
    ERROR_CHECK(cudaMemcpy(worlds[0], start, sizeof(start), cudaMemcpyHostToDevice));
    const dim3 block(16, 16), grid(SIZE / 16, SIZE / 16);
    for (int g = 0; g < 4; g++)
        generation<<<grid, block>>>(worlds[g % 2], worlds[(g + 1) % 2]);
    ERROR_CHECK(cudaMemcpy(end, worlds[0], sizeof(end), cudaMemcpyDeviceToHost));
    int moved = 1;
    for (int i = 0; i < 5; i++)
        moved &= end[(glider[i][1] + 1) * SIZE + glider[i][0] + 1];
    for (int y = 0; y < 8; y++, puts(""))
        for (int x = 0; x < 8; x++)
            printf("%c ", end[y * SIZE + x] ? 'O' : '.');
    int alive = 0;
    for (int i = 0; i < CELLS; i++)
        alive += end[i];
    ERROR_CHECK(cudaFree(worlds[0]));
    ERROR_CHECK(cudaFree(worlds[1]));
    printf("%d alive, the glider %s\n", alive, moved ? "moved" : "DID NOT MOVE");
    return moved && alive == 8 ? 0 : 1;
}
