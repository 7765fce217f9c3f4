// kind: race
// at: @neighbours or @born
// The game of life on a board in __shared__ memory: all have to count before one is born.
__global__ void live(unsigned char *board, int turns, bool bad)
{
    __shared__ unsigned char cell[18][20];
    const int x = threadIdx.x + 1, y = threadIdx.y + 1;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 20; i += 256)
        cell[i / 20][i % 20] = 0;
    __syncthreads();
    cell[y][x] = board[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    for (int turn = 0; turn < turns; turn++) {
        int around = -cell[y][x];
        for (int k = 0; k < 9; k++)
            around += cell[y + k / 3 - 1][x + k % 3 - 1]; // @neighbours
        if (!bad)
            __syncthreads();
        cell[y][x] = around == 3 || (around == 2 && cell[y][x]); // @born
        __syncthreads();
    }
    board[threadIdx.y * 16 + threadIdx.x] = cell[y][x];
}

int main(int argc, char **)
{
    unsigned char *board;
    cudaMallocManaged(&board, 256);
    for (int i = 0; i < 256; i++)
        board[i] = i % 3 == 0;
    live<<<1, dim3(16, 16)>>>(board, 4, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(board);
    return 0;
}
