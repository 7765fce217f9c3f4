// kind: race
// at: @lower
// A bounding box by comparing and storing: between the two another block may have stored something lower.
struct Box {
    int low[2], high[2];
};

__device__ Box box;

__global__ void bound(const int2 *points, int n, bool bad)
{
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
        const int at[] = {points[i].x, points[i].y};
        for (int axis = 0; axis < 2; axis++) {
            if (!bad)
                atomicMin(&box.low[axis], at[axis]);
            else if (at[axis] < box.low[axis]) // @lower
                box.low[axis] = at[axis];
            atomicMax(&box.high[axis], at[axis]);
        }
    }
}

int main(int argc, char **)
{
    int2 *points;
    const Box empty = {{1 << 20, 1 << 20}, {0, 0}};
    cudaMemcpyToSymbol(box, &empty, sizeof box);
    cudaMallocManaged(&points, 64 * sizeof *points);
    for (int i = 0; i < 64; i++)
        points[i] = make_int2(1000 - i, i * 7 % 64 + 3);
    bound<<<8, 1>>>(points, 64, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(points);
    return 0;
}
