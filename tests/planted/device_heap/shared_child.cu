// kind: kernel failed or out of bounds
// Two nodes of a tree have one child, and both delete it.
struct node {
    int value;
    node *left, *right;
    __device__ ~node()
    {
        if (left)
            delete left;
        if (right && right != left)
            delete right;
    }
};

__device__ node *leaf(int value)
{
    node *n = new node;
    n->value = value;
    n->left = n->right = nullptr;
    return n;
}

__global__ void tree(int *sum, bool shares)
{
    node *root = leaf(1);
    root->left = leaf(2);
    root->right = leaf(3);
    root->left->right = leaf(4);
    root->right->left = shares ? root->left->right : leaf(4);
    *sum = root->left->right->value + root->right->left->value;
    delete root;
}

int main(int argc, char **)
{
    int *sum;
    cudaMalloc(&sum, sizeof *sum);
    tree<<<1, 1>>>(sum, argc > 1);
    cudaDeviceSynchronize();
    cudaFree(sum);
    return 0;
}
