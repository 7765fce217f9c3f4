#!/usr/bin/env python3
"""A program as it is written for NVIDIA's libcudart.so: ctypes and nothing else. systems.py runs it with the
simulator's directory on the library path, and with NVIDIA's; it prints the same numbers.
"""
import ctypes

N = 1024
cudart = ctypes.CDLL("libcudart.so")
cudart.cudaMalloc.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t]
cudart.cudaMemcpy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
cudart.cudaFree.argtypes = [ctypes.c_void_p]

host = (ctypes.c_int * N)(*range(N))
back = (ctypes.c_int * N)()
p = ctypes.c_void_p()
print(cudart.cudaMalloc(ctypes.byref(p), ctypes.sizeof(host)))
print(cudart.cudaMemcpy(p, host, ctypes.sizeof(host), 1))
print(cudart.cudaMemcpy(back, p, ctypes.sizeof(host), 2))
print(back[N - 1])

m = ctypes.c_void_p()
print(cudart.cudaMallocManaged(ctypes.byref(m), ctypes.c_size_t(4 * N), 1))
view = (ctypes.c_float * N).from_address(m.value)
view[N - 1] = 2 * back[N - 1]
print(view[N - 1])
print(cudart.cudaMemcpy(p, None, 4, 1))  # cudaErrorInvalidValue
cudart.cudaGetLastError()
print(cudart.cudaFree(p) + cudart.cudaFree(m))
