/**
 * @file copy.h
 * @brief The copying calls with the stream as a parameter, for the per-thread forms of the calls in
 * per_thread.c.
 */
#ifndef UMSIM_API_COPY_H
#define UMSIM_API_COPY_H

#include "runtime.h"
#include "../queue/copy_op.h"

/* Like UMSIM_ENTER, for a function that serves several calls and is told the call's name at run time. */
#define ENTER_CALL(call, ...) UMSIM_ENTER_CALL(call, #__VA_ARGS__, UMSIM_NEEDS_DEVICE, ##__VA_ARGS__)

/** Whether `count` bytes from `offset` on are in the variable. @return cudaErrorInvalidSymbol,
 * cudaErrorInvalidValue */
cudaError_t umsim_symbol_check(const void *symbol, size_t offset, size_t count);

/** The variable's side of a copy becomes the current device's. Before the call was entered, neither the
 * devices nor a library's variables may be known. */
void umsim_symbol_place(struct umsim_copy *copy, const void *symbol, size_t offset, bool to_symbol);

cudaError_t umsim_memcpy_on(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream, const char *call);
cudaError_t umsim_memcpy2d_on(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream, const char *call);
cudaError_t umsim_memcpy3d_on(const struct cudaMemcpy3DParms *params, cudaStream_t stream, const char *call);
cudaError_t umsim_memcpy_peer_on(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                                 cudaStream_t stream, const char *call);
cudaError_t umsim_memcpy3d_peer_on(const struct cudaMemcpy3DPeerParms *params, cudaStream_t stream,
                                   const char *call);
cudaError_t umsim_memset3d_on(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                              cudaStream_t stream, const char *call);
cudaError_t umsim_set_on(struct umsim_set what, cudaStream_t stream, const char *call);
cudaError_t umsim_memset_on(void *p, int value, size_t count, cudaStream_t stream, const char *call);
cudaError_t umsim_memset2d_on(void *p, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream, const char *call);
cudaError_t umsim_memcpy_to_symbol_on(const void *symbol, const void *src, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream, const char *call);
cudaError_t umsim_memcpy_from_symbol_on(void *dst, const void *symbol, size_t count, size_t offset,
                                        enum cudaMemcpyKind kind, cudaStream_t stream, const char *call);

#endif
