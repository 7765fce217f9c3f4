// A linked list and a tree in managed memory: built by the host, walked and changed by the device, read by
// the host again, without a deep copy.
#include <cstdio>
#include <cstddef>
#include <cstdlib>

// error checking macro
#define cudaCheckErrors(msg)                                                                                 \
    do {                                                                                                     \
        cudaError_t __err = cudaGetLastError();                                                              \
        if (__err != cudaSuccess) {                                                                          \
            fprintf(stderr, "Fatal error: %s (%s at %s:%d)\n", msg, cudaGetErrorString(__err), __FILE__,     \
                    __LINE__);                                                                               \
            fprintf(stderr, "*** FAILED - ABORTING\n");                                                      \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

struct list_elem {
    int key;
    list_elem *next;
};

struct tree {
    int key;
    struct tree *left, *right;
};

template <typename T> void alloc_bytes(T &ptr, size_t num_bytes)
{
    cudaMallocManaged(&ptr, num_bytes);
    cudaCheckErrors("managed allocation");
}

__host__ __device__ int nth_key(list_elem *list, int n)
{
    while (n--)
        list = list->next;
    return list->key;
}

__global__ void gpu_read(list_elem *list, int n, int *key)
{
    *key = nth_key(list, n);
}

__global__ void gpu_double(list_elem *list)
{
    for (list_elem *e = list; e; e = e->next)
        e->key *= 2;
}

__global__ void search(const tree *root, const int *wanted, bool *found, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    const tree *t = root;
    while (t != nullptr && t->key != wanted[i])
        t = wanted[i] < t->key ? t->left : t->right;
    found[i] = t != nullptr;
}

static tree *insert(tree *t, int key)
{
    if (t == nullptr) {
        alloc_bytes(t, sizeof *t);
        *t = {key, nullptr, nullptr};
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else {
        t->right = insert(t->right, key);
    }
    return t;
}

static void destroy(tree *t)
{
    if (t != nullptr) {
        destroy(t->left);
        destroy(t->right);
        cudaFree(t);
    }
}

const int num_elem = 256;
const int ele = 255;

int main()
{
    list_elem *list_base, *list;
    int *key;
    alloc_bytes(list_base, sizeof(list_elem));
    alloc_bytes(key, sizeof(int));
    list = list_base;
    for (int i = 0; i < num_elem; i++) {
        list->key = i;
        list->next = nullptr;
        if (i + 1 < num_elem)
            alloc_bytes(list->next, sizeof(list_elem));
        list = list->next;
    }
    gpu_read<<<1, 1>>>(list_base, ele, key);
    cudaCheckErrors("gpu_read kernel launch");
    cudaDeviceSynchronize();
    cudaCheckErrors("gpu_read kernel");
    bool good = *key == ele && nth_key(list_base, ele) == ele;
    gpu_double<<<1, 1>>>(list_base);
    cudaDeviceSynchronize();
    good = good && nth_key(list_base, 100) == 200;
    for (list_elem *e = list_base, *next; e != nullptr; e = next) {
        next = e->next;
        cudaFree(e);
    }

    tree *root = nullptr;
    for (int i = 0; i < 60; i++)
        root = insert(root, i * 37 % 101);
    int *wanted;
    bool *found;
    alloc_bytes(wanted, 101 * sizeof(int));
    alloc_bytes(found, 101 * sizeof(bool));
    for (int i = 0; i < 101; i++)
        wanted[i] = i;
    search<<<1, 128>>>(root, wanted, found, 101);
    cudaDeviceSynchronize();
    cudaCheckErrors("search kernel");
    int count = 0;
    for (int i = 0; i < 101; i++)
        count += found[i];
    good = good && count == 60;
    destroy(root);
    cudaFree(wanted);
    cudaFree(found);
    cudaFree(key);
    printf("%s\n", good ? "success!" : "failure");
    return good ? 0 : 1;
}
