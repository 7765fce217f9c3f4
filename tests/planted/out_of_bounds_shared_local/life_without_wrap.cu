// kind: out of bounds
// at: @cell
// The game of life on a board that is a variable: at its border some neighbours are not on the board.
#define SIZE 16

__device__ unsigned char board[SIZE * SIZE], next[SIZE * SIZE];

__device__ int alive(int x, int y, bool wrap)
{
    const int at = wrap ? (y + SIZE) % SIZE * SIZE + (x + SIZE) % SIZE : y * SIZE + x;
    return board[at]; // @cell
}

__global__ void step(bool wrap)
{
    const int x = threadIdx.x, y = threadIdx.y;
    int count = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                count += alive(x + dx, y + dy, wrap);
    next[y * SIZE + x] = count == 3 || (count == 2 && board[y * SIZE + x]);
}

int main(int argc, char **)
{
    unsigned char start[SIZE * SIZE] = {};
    start[17] = start[18] = start[19] = 1;
    cudaMemcpyToSymbol(board, start, sizeof start);
    step<<<1, dim3(SIZE, SIZE)>>>(argc == 1);
    cudaMemcpyFromSymbol(start, next, sizeof start);
    return 0;
}
