// expect: Program hit cudaErrorInvalidResourceHandle (error 400) on CUDA API call to cudaEventElapsedTime
// expect: at main in @early
// expect: start was never recorded
// expect: cudaEventRecord(start) puts an event into a stream
// expect: end keeps no time: it was created with cudaEventDisableTiming
// expect: on CUDA API call to cudaEventRecord
// expect: at main in @event
// expect: the event is gone: cudaEventDestroy has destroyed it at @destroyed
// expect: on CUDA API call to cudaStreamSynchronize
// expect: at main in @stream
// expect: the stream is gone: cudaStreamDestroy has destroyed it at @gone
// expect: on CUDA API call to cudaEventSynchronize
// expect: the event does not exist: it is NULL
// expect: on CUDA API call to cudaStreamDestroy
// expect: the stream is gone
// errors: 6
// Streams and events that are gone, and events that were never recorded.
int main(int argc, char **)
{
    const bool bad = argc > 1;
    cudaStream_t stream;
    cudaEvent_t start, end, plain;
    float ms;
    cudaStreamCreate(&stream);
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaEventCreateWithFlags(&plain, cudaEventDisableTiming);
    cudaEventRecord(plain, stream);
    cudaEventRecord(end, stream);
    if (!bad)
        cudaEventRecord(start, stream);
    cudaStreamSynchronize(stream);
    cudaEventElapsedTime(&ms, start, end); // @early
    if (bad)
        cudaEventElapsedTime(&ms, end, plain);
    cudaEventDestroy(start); // @destroyed
    if (bad)
        cudaEventRecord(start, stream); // @event
    cudaEventDestroy(plain);
    cudaStreamDestroy(stream); // @gone
    if (bad) {
        cudaStreamSynchronize(stream); // @stream
        cudaEventSynchronize(nullptr);
        cudaStreamDestroy(stream);
    }
    cudaEventDestroy(end);
    return 0;
}
