// kind: race
// at: @from or @to
// A transfer changes two accounts, and holds the lock of one of them only.
struct Account {
    int lock, money;
};

__device__ bool take(Account &account)
{
    for (int turn = 0; turn < 100000; turn++)
        if (atomicCAS(&account.lock, 0, 1) == 0) {
            __threadfence();
            return true;
        }
    return false;
}

__device__ void release(Account &account)
{
    __threadfence();
    atomicExch(&account.lock, 0);
}

__global__ void transfer(Account *accounts, int n, bool bad)
{
    const int a = blockIdx.x % n, b = (blockIdx.x + 1) % n;
    Account &first = accounts[min(a, b)], &second = accounts[max(a, b)];
    if (!take(first))
        return;
    if (bad || take(second)) {
        first.money -= 5;  // @from
        second.money += 5; // @to
        if (!bad)
            release(second);
    }
    release(first);
}

int main(int argc, char **)
{
    Account *accounts;
    cudaMallocManaged(&accounts, 4 * sizeof *accounts);
    for (int i = 0; i < 4; i++)
        accounts[i] = {0, 100};
    transfer<<<8, 1>>>(accounts, 4, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(accounts);
    return 0;
}
