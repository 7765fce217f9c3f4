// kind: refused call
// Two nodes of a graph wait for each other.
int main(int argc, char **)
{
    cudaGraph_t graph;
    cudaGraphNode_t a, b;
    cudaGraphExec_t ready;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddEmptyNode(&a, graph, nullptr, 0);
    cudaGraphAddEmptyNode(&b, graph, &a, 1);
    if (argc > 1)
        cudaGraphAddDependencies(graph, &b, &a, nullptr, 1);
    if (cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess)
        cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    return 0;
}
