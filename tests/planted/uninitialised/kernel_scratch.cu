// kind: uninitialised
// at: @votes
// What malloc in a kernel gives is not zero.
__global__ void vote(const int *choice, int *winner, int n, int options, bool clear)
{
    int *votes = (int *)malloc(options * sizeof(int));
    for (int i = 0; i < options && clear; i++)
        votes[i] = 0;
    for (int i = 0; i < n; i++)
        votes[choice[i]]++; // @votes
    *winner = 0;
    for (int i = 1; i < options; i++)
        if (votes[i] > votes[*winner])
            *winner = i;
    free(votes);
}

int main(int argc, char **)
{
    const int choices[6] = {0, 1, 2, 2, 1, 2};
    int *choice, *winner;
    cudaMalloc(&choice, sizeof choices);
    cudaMalloc(&winner, sizeof *winner);
    cudaMemcpy(choice, choices, sizeof choices, cudaMemcpyHostToDevice);
    vote<<<1, 1>>>(choice, winner, 6, 3, argc == 1);
    cudaDeviceSynchronize();
    cudaFree(choice);
    cudaFree(winner);
    return 0;
}
