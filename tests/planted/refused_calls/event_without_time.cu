// kind: refused call
// at: @call
// An event that was made for order alone is asked for its time.
int main(int argc, char **)
{
    cudaEvent_t event[2];
    float ms = 0;
    for (cudaEvent_t &e : event) {
        cudaEventCreateWithFlags(&e, argc > 1 ? cudaEventDisableTiming : cudaEventDefault);
        cudaEventRecord(e);
    }
    cudaEventSynchronize(event[1]);
    cudaEventElapsedTime(&ms, event[0], event[1]); // @call
    for (cudaEvent_t e : event)
        cudaEventDestroy(e);
    return 0;
}
