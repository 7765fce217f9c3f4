// Surfaces: kernels write arrays, and read them back as surfaces and as textures. x counts bytes. What lies
// beyond an edge reads as zero or as the edge, as the call says.
#include "common.h"
#include <cstring>

__global__ void draw(cudaSurfaceObject_t surface, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        surf2Dwrite(make_float4(x, y, x + y, x * y), surface, x * (int)sizeof(float4), y);
}

/* Swaps columns, by reading one surface and writing another. */
__global__ void mirror(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float4 pixel;
    surf2Dread(&pixel, from, (width - 1 - x) * (int)sizeof(float4), y);
    surf2Dwrite(pixel, to, x * (int)sizeof(float4), y);
}

/* Neighbours of the first row: beyond the edges they are zero, or above it the edge. In the third row those
 * to the right: behind its end a GPU's clamped read of a float4 is not the last one, but begins at the row's
 * last 4 bytes. */
__global__ void edges(cudaSurfaceObject_t surface, int width, float *zeros, float *clamped, float *right)
{
    int x = threadIdx.x;
    const int size = sizeof(float4);
    zeros[x] = surf2Dread<float4>(surface, (x - 1) * size, 0, cudaBoundaryModeZero).x +
               surf2Dread<float4>(surface, (x + 1) * size, 0, cudaBoundaryModeZero).x +
               surf2Dread<float4>(surface, x * size, -1, cudaBoundaryModeZero).x;
    clamped[x] = surf2Dread<float4>(surface, x * size, -1, cudaBoundaryModeClamp).x;
    right[x] = surf2Dread<float4>(surface, (x + 1) * size, 2, cudaBoundaryModeClamp).x;
    if (x == 0) /* nothing is there to be written */
        surf2Dwrite(make_float4(1, 2, 3, 4), surface, width * size, 0, cudaBoundaryModeZero);
}

__global__ void fill(cudaSurfaceObject_t volume, int w, int h, int d)
{
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    if (x < w && y < h && z < d)
        surf3Dwrite((unsigned short)(x + 10 * y + 100 * z), volume, x * 2, y, z);
}

__global__ void line(cudaSurfaceObject_t surface, int n)
{
    int i = threadIdx.x;
    if (i < n)
        surf1Dwrite((unsigned char)(3 * i), surface, i);
}

__global__ void look(cudaTextureObject_t texture, int width, int height, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex2D<float4>(texture, x + 0.5f, y + 0.5f).w;
}

/* Says what is wrong, if something is; the first few times. */
static bool is(const char *what, int x, int y, double got, double wanted)
{
    static int told;
    if (got == wanted)
        return true;
    if (told++ < 12)
        printf("%s at %d, %d: %.9g, not %.9g\n", what, x, y, got, wanted);
    return false;
}

static cudaSurfaceObject_t surfaceOf(cudaArray_t array)
{
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    return surface;
}

static bool pictures()
{
    const int width = 70, height = 33;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float4>();
    cudaArray_t first, second;
    CHECK(cudaMallocArray(&first, &channels, width, height, cudaArraySurfaceLoadStore));
    CHECK(cudaMallocArray(&second, &channels, width, height, cudaArraySurfaceLoadStore));
    cudaSurfaceObject_t from = surfaceOf(first), to = surfaceOf(second);
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    draw<<<grid, block>>>(from, width, height);
    mirror<<<grid, block>>>(from, to, width, height);
    CHECK_KERNEL();
    std::vector<float4> back(width * height);
    CHECK(cudaMemcpy2DFromArray(back.data(), width * sizeof(float4), second, 0, 0, width * sizeof(float4),
                                height, cudaMemcpyDeviceToHost));
    bool good = true;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const float4 p = back[y * width + x];
            const int c = width - 1 - x;
            good &= is("mirrored x", x, y, p.x, c);
            good &= is("mirrored y", x, y, p.y, y);
            good &= is("mirrored sum", x, y, p.z, c + y);
            good &= is("mirrored product", x, y, p.w, c * y);
        }

    float *zeros, *clamped, *right, *products;
    CHECK(cudaMallocManaged(&zeros, width * sizeof(float)));
    CHECK(cudaMallocManaged(&clamped, width * sizeof(float)));
    CHECK(cudaMallocManaged(&right, width * sizeof(float)));
    CHECK(cudaMallocManaged(&products, width * height * sizeof(float)));
    edges<<<1, width>>>(from, width, zeros, clamped, right);
    cudaResourceDesc resource;
    CHECK(cudaGetSurfaceObjectResourceDesc(&resource, from));
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    look<<<grid, block>>>(texture, width, height, products);
    CHECK_KERNEL();
    for (int x = 0; x < width; x++) {
        good &= is("neighbours, zero beyond the edge", x, 0, zeros[x],
                   (x ? x - 1 : 0) + (x + 1 < width ? x + 1 : 0));
        good &= is("the row above, clamped to the edge", x, 0, clamped[x], x);
        good &= is("to the right, clamped to the row's end", x, 2, right[x],
                   x + 1 < width ? x + 1 : (width - 1) * 2);
        for (int y = 0; y < height; y++)
            good &= is("as a texture", x, y, products[y * width + x], x * y);
    }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaDestroySurfaceObject(from));
    CHECK(cudaDestroySurfaceObject(to));
    CHECK(cudaFreeArray(first));
    CHECK(cudaFreeArray(second));
    CHECK(cudaFree(zeros));
    CHECK(cudaFree(clamped));
    CHECK(cudaFree(right));
    CHECK(cudaFree(products));
    return good;
}

static bool other_shapes()
{
    const int w = 9, h = 6, d = 5, n = 40;
    cudaChannelFormatDesc words = cudaCreateChannelDesc<unsigned short>();
    cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t volume, row;
    CHECK(cudaMalloc3DArray(&volume, &words, make_cudaExtent(w, h, d), cudaArraySurfaceLoadStore));
    CHECK(cudaMallocArray(&row, &bytes, n, 0, cudaArraySurfaceLoadStore));
    cudaSurfaceObject_t volume_surface = surfaceOf(volume), row_surface = surfaceOf(row);
    fill<<<d, dim3(16, 8)>>>(volume_surface, w, h, d);
    line<<<1, 64>>>(row_surface, n);
    CHECK_KERNEL();
    std::vector<unsigned short> back(w * h * d);
    cudaMemcpy3DParms copy;
    memset(&copy, 0, sizeof copy);
    copy.srcArray = volume;
    copy.dstPtr = make_cudaPitchedPtr(back.data(), w * sizeof(unsigned short), w, h);
    copy.extent = make_cudaExtent(w, h, d);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    bool good = true;
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                good &= is("volume, slices of 6 rows", x, z * h + y, back[(z * h + y) * w + x],
                           x + 10 * y + 100 * z);
    std::vector<unsigned char> line_back(n);
    CHECK(cudaMemcpy2DFromArray(line_back.data(), n, row, 0, 0, n, 1, cudaMemcpyDefault));
    for (int i = 0; i < n; i++)
        good &= is("line", i, 0, line_back[i], (unsigned char)(3 * i));
    CHECK(cudaDestroySurfaceObject(volume_surface));
    CHECK(cudaDestroySurfaceObject(row_surface));
    CHECK(cudaFreeArray(volume));
    CHECK(cudaFreeArray(row));
    return good;
}

int main()
{
    const bool flat = pictures(), rest = other_shapes();
    return report(flat && rest);
}
