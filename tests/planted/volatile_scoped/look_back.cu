// kind: race
// at: @published or @looked
// A scan that looks back: each block publishes its sum together with a state, and only the state is volatile.
struct Tile {
    int sum;
    volatile int state;
};

template <bool Bad> __global__ void look_back(const int *x, Tile *tiles, int *out)
{
    const int block = blockIdx.x;
    int before = 0;
    for (int other = 0; other < block; other++) {
        int turn = 0;
        while (tiles[other].state == 0 && turn < 100000)
            turn++;
        __threadfence();
        if (turn < 100000)
            before += tiles[other].sum; // @looked
    }
    tiles[block].sum = x[block]; // @published
    if (!Bad)
        __threadfence();
    tiles[block].state = 1;
    out[block] = before;
}

int main(int argc, char **)
{
    int *x;
    Tile *tiles;
    cudaMallocManaged(&x, 16 * sizeof *x);
    cudaMalloc(&tiles, 8 * sizeof *tiles);
    cudaMemset(tiles, 0, 8 * sizeof *tiles);
    for (int i = 0; i < 16; i++)
        x[i] = i;
    auto kernel = argc > 1 ? look_back<true> : look_back<false>;
    kernel<<<8, 1>>>(x, tiles, x + 8);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(tiles);
    return 0;
}
