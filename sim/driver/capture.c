/**
 * @file capture.c
 * @brief Captures of streams (CUDA Driver API: Stream Management). Handles and modes are the runtime's.
 */
#include "driver.h"

CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode)
{
    UMSIM_DRIVER(cuStreamBeginCapture, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamBeginCapture(UMSIM_STREAM(hStream), (enum cudaStreamCaptureMode)mode));
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    UMSIM_DRIVER(cuThreadExchangeStreamCaptureMode, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaThreadExchangeStreamCaptureMode((enum cudaStreamCaptureMode *)mode));
}

CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph)
{
    UMSIM_DRIVER(cuStreamEndCapture, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamEndCapture(UMSIM_STREAM(hStream), (cudaGraph_t *)phGraph));
}

CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus)
{
    UMSIM_DRIVER(cuStreamIsCapturing, UMSIM_NEEDS_CONTEXT);
    return umsim_result(
        cudaStreamIsCapturing(UMSIM_STREAM(hStream), (enum cudaStreamCaptureStatus *)captureStatus));
}

CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                     CUstreamCaptureMode mode)
{
    UMSIM_DRIVER(cuStreamBeginCaptureToGraph, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamBeginCaptureToGraph(
        UMSIM_STREAM(hStream), (cudaGraph_t)hGraph, (const cudaGraphNode_t *)dependencies,
        (const cudaGraphEdgeData *)dependencyData, numDependencies, (enum cudaStreamCaptureMode)mode));
}

CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                cuuint64_t *id_out, CUgraph *graph_out, const CUgraphNode **dependencies_out,
                                const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out)
{
    UMSIM_DRIVER(cuStreamGetCaptureInfo, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamGetCaptureInfo(
        UMSIM_STREAM(hStream), (enum cudaStreamCaptureStatus *)captureStatus_out,
        (unsigned long long *)id_out, (cudaGraph_t *)graph_out, (const cudaGraphNode_t **)dependencies_out,
        (const cudaGraphEdgeData **)edgeData_out, numDependencies_out));
}

CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
                                           const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                           unsigned int flags)
{
    UMSIM_DRIVER(cuStreamUpdateCaptureDependencies, UMSIM_NEEDS_CONTEXT);
    return umsim_result(cudaStreamUpdateCaptureDependencies(
        UMSIM_STREAM(hStream), (cudaGraphNode_t *)dependencies, (const cudaGraphEdgeData *)dependencyData,
        numDependencies, flags));
}
