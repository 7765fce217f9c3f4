// kind: refused call
// at: @clear
// Bins are cleared for the next picture after the last one's clean-up has freed them.
static void finish(unsigned *bins, bool last)
{
    if (last)
        cudaFree(bins);
}

int main(int argc, char **)
{
    unsigned *bins;
    cudaMalloc(&bins, 1024);
    for (int picture = 0; picture < 3; picture++) {
        cudaMemset(bins, 0, 1024); // @clear
        finish(bins, argc > 1 ? picture == 1 : picture == 2);
    }
    return 0;
}
