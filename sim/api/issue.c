/**
 * @file issue.c
 * @brief Issues the work of a call to a stream, or makes a node of it if the stream is captured.
 */
#include "graph.h"

cudaError_t umsim_issue_copy(const struct umsim_copy *copy, struct umsim_stream *stream)
{
    cudaError_t error = umsim_admit(stream, !copy->async);
    if (error || !stream->capture)
        return error ? error : umsim_copy_issue(copy, stream);
    const struct umsim_work work = {.type = cudaGraphNodeTypeMemcpy, .copy = *copy};
    error = umsim_copy_check(copy);
    return error ? error : umsim_capture_add(stream, &work);
}

cudaError_t umsim_issue_set(const struct umsim_set *set, struct umsim_stream *stream)
{
    cudaError_t error = umsim_admit(stream, !set->async);
    if (error || !stream->capture)
        return error ? error : umsim_set_issue(set, stream);
    const struct umsim_work work = {.type = cudaGraphNodeTypeMemset, .set = *set};
    return umsim_capture_add(stream, &work);
}

cudaError_t umsim_issue_launch(const struct umsim_launch_request *request, struct umsim_stream *stream)
{
    cudaError_t error = umsim_admit(stream, false);
    if (error)
        return error;
    if (!stream->capture)
        return umsim_launch_issue(request, stream) ? cudaSuccess : cudaErrorMemoryAllocation;
    const struct umsim_work work = {.type = cudaGraphNodeTypeKernel, .launch = *request};
    return umsim_capture_add(stream, &work);
}
