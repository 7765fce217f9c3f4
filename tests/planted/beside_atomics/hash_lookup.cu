// kind: race
// at: @inserted or @looked
// Keys are inserted with atomicCAS and looked up plainly in the same kernel.
constexpr unsigned SIZE = 64, NONE = ~0u;

__global__ void insert_and_look(unsigned *table, const unsigned *keys, int *found, bool bad)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned at = keys[i] * 7 % SIZE;; at = (at + 1) % SIZE) {
        const unsigned old = atomicCAS(&table[at], NONE, keys[i]); // @inserted
        if (old == NONE || old == keys[i])
            break;
    }
    const unsigned wanted = keys[(i + 9) % 32];
    found[i] = 0;
    for (unsigned at = wanted * 7 % SIZE, turn = 0; turn < SIZE; at = (at + 1) % SIZE, turn++) {
        const unsigned key = bad ? table[at] : atomicCAS(&table[at], NONE, NONE); // @looked
        found[i] |= key == wanted;
        if (key == NONE)
            break;
    }
}

int main(int argc, char **)
{
    unsigned *table;
    cudaMallocManaged(&table, (SIZE + 64) * sizeof *table);
    for (unsigned i = 0; i < SIZE + 32; i++)
        table[i] = i < SIZE ? NONE : i * 5;
    insert_and_look<<<4, 8>>>(table, table + SIZE, reinterpret_cast<int *>(table + SIZE + 32), argc > 1);
    cudaDeviceSynchronize();
    cudaFree(table);
    return 0;
}
