# For CMake: compiles a project's CUDA for the simulated GPU.
#
#     cmake -S . -B build -DCMAKE_TOOLCHAIN_FILE=UMLAB/build/sim/share/umlab/umcc.cmake
#
# The rest is CMake's own doing: it takes umcc for an nvcc 13, and links programs with the host's compiler and
# libumsim.so.
get_filename_component(UMLAB_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(CMAKE_CUDA_COMPILER "${CMAKE_CURRENT_LIST_DIR}/cuda/bin/nvcc")
# find_package(CUDAToolkit) looks there for headers and libraries.
set(CUDAToolkit_ROOT "${CMAKE_CURRENT_LIST_DIR}/cuda")
# Programs find libumsim.so without LD_LIBRARY_PATH.
list(APPEND CMAKE_BUILD_RPATH "${UMLAB_PREFIX}/lib")
list(APPEND CMAKE_INSTALL_RPATH "${UMLAB_PREFIX}/lib")
