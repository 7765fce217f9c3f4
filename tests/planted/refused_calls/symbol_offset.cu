// kind: refused call
// at: @call
// The offset into a symbol counts bytes, and an index times too much is given.
__device__ double table[4][8];

int main(int argc, char **)
{
    double row[8] = {};
    for (int y = 0; y < 4; y++) {
        const size_t offset = y * sizeof(row) * (argc > 1 ? 2 : 1);
        cudaMemcpyToSymbol(table, row, sizeof row, offset); // @call
    }
    cudaDeviceSynchronize();
    return 0;
}
