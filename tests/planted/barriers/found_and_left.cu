// kind: barrier passed by or kernel ended or kernel failed
// A thread that has found its value leaves the loop in which the others wait.
struct Search {
    int wanted, at;
};

__global__ void find(const int *x, int n, Search *searches, bool bad)
{
    __shared__ int line[32];
    Search mine = searches[threadIdx.x];
    for (int first = 0; first < n; first += 32) {
        line[threadIdx.x] = x[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 32; k++)
            if (line[k] == mine.wanted)
                mine.at = first + k;
        __syncthreads();
        if (bad && mine.at >= 0)
            break;
    }
    searches[threadIdx.x] = mine;
}

int main(int argc, char **)
{
    int *x;
    Search *searches;
    cudaMallocManaged(&x, 96 * sizeof *x);
    cudaMallocManaged(&searches, 32 * sizeof *searches);
    for (int i = 0; i < 96; i++)
        x[i] = i;
    for (int i = 0; i < 32; i++)
        searches[i] = {i * 3, -1};
    find<<<1, 32>>>(x, 96, searches, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(searches);
    return 0;
}
