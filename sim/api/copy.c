/**
 * @file copy.c
 * @brief cudaMemcpy, cudaMemset and related calls (CUDA Runtime API, Memory Management).
 */
#include "copy.h"
#include "graph.h"
#include "symbol_address.h"
#include "../queue/copy_op.h"
#include "../space/modules.h"
#include "../space/registry.h"

static cudaError_t copy(struct umsim_copy what, cudaStream_t handle, const char *call)
{
    ENTER_CALL(call, what, handle);
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (!stream)
        return umsim_leave(cudaErrorInvalidResourceHandle);
    if (umsim_symbol_address_is_unknown(what.to) || umsim_symbol_address_is_unknown(what.from))
        return umsim_leave(cudaErrorInvalidValue);
    const cudaError_t error = umsim_issue_copy(&what, stream);
    if (!error)
        umsim_symbol_address_copied(&what);
    return umsim_leave(error);
}

static cudaError_t set(struct umsim_set what, cudaStream_t handle, const char *call)
{
    ENTER_CALL(call, what, handle);
    struct umsim_stream *stream = umsim_stream_of(handle);
    if (stream && umsim_symbol_address_is_unknown(what.to))
        return umsim_leave(cudaErrorInvalidValue);
    return umsim_leave(stream ? umsim_issue_set(&what, stream) : cudaErrorInvalidResourceHandle);
}

cudaError_t umsim_memcpy_on(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream, const char *call)
{
    return copy(umsim_copy_of(dst, src, count, count, count, 1, kind, false), stream, call);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    return umsim_memcpy_on(dst, src, count, kind, cudaStreamLegacy, "cudaMemcpy");
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return copy(umsim_copy_of(dst, src, count, count, count, 1, kind, true), stream, "cudaMemcpyAsync");
}

cudaError_t umsim_memcpy2d_on(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream, const char *call)
{
    return copy(umsim_copy_of(dst, src, dpitch, spitch, width, height, kind, false), stream, call);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    return umsim_memcpy2d_on(dst, dpitch, src, spitch, width, height, kind, cudaStreamLegacy, "cudaMemcpy2D");
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy(umsim_copy_of(dst, src, dpitch, spitch, width, height, kind, true), stream,
                "cudaMemcpy2DAsync");
}

cudaError_t umsim_set_on(struct umsim_set what, cudaStream_t stream, const char *call)
{
    return set(what, stream, call);
}

cudaError_t umsim_memset_on(void *p, int value, size_t count, cudaStream_t stream, const char *call)
{
    return set(umsim_set_of(p, count, count, 1, value, false), stream, call);
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    return umsim_memset_on(devPtr, value, count, cudaStreamLegacy, "cudaMemset");
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
    return set(umsim_set_of(devPtr, count, count, 1, value, true), stream, "cudaMemsetAsync");
}

cudaError_t umsim_memset2d_on(void *p, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream, const char *call)
{
    return set(umsim_set_of(p, pitch, width, height, value, false), stream, call);
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
    return umsim_memset2d_on(devPtr, pitch, value, width, height, cudaStreamLegacy, "cudaMemset2D");
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    return set(umsim_set_of(devPtr, pitch, width, height, value, true), stream, "cudaMemset2DAsync");
}

static int is_variable(const struct umsim_alloc *allocation)
{
    return allocation &&
           (allocation->memory == UMSIM_DEVICE_VARIABLE || allocation->memory == UMSIM_MANAGED_VARIABLE);
}

/* A symbol is the variable's own address: device variables have the same address in both processes. */
cudaError_t umsim_symbol_check(const void *symbol, size_t offset, size_t count)
{
    if (!is_variable(umsim_registry_find(symbol)))
        return cudaErrorInvalidSymbol;
    size_t bytes = umsim_variable_bytes(symbol);
    return bytes && (offset > bytes || count > bytes - offset) ? cudaErrorInvalidValue : cudaSuccess;
}

void umsim_symbol_place(struct umsim_copy *copy, const void *symbol, size_t offset, bool to_symbol)
{
    char *place = (char *)umsim_variable_on(umsim_device(), symbol) + offset;
    if (to_symbol)
        copy->to = place;
    else
        copy->from = place;
}

static cudaError_t copy_symbol(const void *symbol, size_t offset, struct umsim_copy what, bool to_symbol,
                               cudaStream_t handle, const char *call)
{
    ENTER_CALL(call, symbol, offset, what, handle);
    umsim_symbol_place(&what, symbol, offset, to_symbol);
    struct umsim_stream *stream = umsim_stream_of(handle);
    cudaError_t error = umsim_symbol_check(symbol, offset, what.width);
    if (!error && !stream)
        error = cudaErrorInvalidResourceHandle;
    if (!error)
        error = umsim_issue_copy(&what, stream);
    if (!error)
        umsim_symbol_address_copied(&what);
    return umsim_leave(error);
}

static cudaError_t refuse_direction(const void *symbol, enum cudaMemcpyKind kind, const char *call)
{
    const struct umsim_argument arguments[] = {UMSIM_ARGUMENTS(symbol, kind)};
    return umsim_refuse(&(struct umsim_api_call){call, "symbol, kind", arguments, NULL, NULL, false, 0},
                        cudaErrorInvalidMemcpyDirection);
}

static cudaError_t to_symbol(const void *symbol, const void *src, size_t count, size_t offset,
                             enum cudaMemcpyKind kind, bool async, cudaStream_t stream, const char *call)
{
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return refuse_direction(symbol, kind, call);
    struct umsim_copy what = umsim_copy_of((char *)symbol + offset, src, count, count, count, 1, kind, async);
    return copy_symbol(symbol, offset, what, true, stream, call);
}

static cudaError_t from_symbol(void *dst, const void *symbol, size_t count, size_t offset,
                               enum cudaMemcpyKind kind, bool async, cudaStream_t stream, const char *call)
{
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return refuse_direction(symbol, kind, call);
    struct umsim_copy what =
        umsim_copy_of(dst, (const char *)symbol + offset, count, count, count, 1, kind, async);
    return copy_symbol(symbol, offset, what, false, stream, call);
}

cudaError_t umsim_memcpy_to_symbol_on(const void *symbol, const void *src, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream, const char *call)
{
    return to_symbol(symbol, src, count, offset, kind, false, stream, call);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return to_symbol(symbol, src, count, offset, kind, false, cudaStreamLegacy, "cudaMemcpyToSymbol");
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return to_symbol(symbol, src, count, offset, kind, true, stream, "cudaMemcpyToSymbolAsync");
}

cudaError_t umsim_memcpy_from_symbol_on(void *dst, const void *symbol, size_t count, size_t offset,
                                        enum cudaMemcpyKind kind, cudaStream_t stream, const char *call)
{
    return from_symbol(dst, symbol, count, offset, kind, false, stream, call);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    return from_symbol(dst, symbol, count, offset, kind, false, cudaStreamLegacy, "cudaMemcpyFromSymbol");
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return from_symbol(dst, symbol, count, offset, kind, true, stream, "cudaMemcpyFromSymbolAsync");
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
    UMSIM_ENTER(cudaGetSymbolAddress, devPtr, symbol);
    if (!devPtr)
        return umsim_leave(cudaErrorInvalidValue);
    if (!is_variable(umsim_registry_find(symbol)))
        return umsim_leave(cudaErrorInvalidSymbol);
    *devPtr = umsim_variable_on(umsim_device(), symbol);
    umsim_symbol_address_given();
    return umsim_leave(cudaSuccess);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    UMSIM_ENTER(cudaGetSymbolSize, size, symbol);
    if (!size)
        return umsim_leave(cudaErrorInvalidValue);
    *size = umsim_variable_bytes(symbol);
    return umsim_leave(*size ? cudaSuccess : cudaErrorInvalidSymbol);
}
