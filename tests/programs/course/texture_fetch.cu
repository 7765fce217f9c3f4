// Linear device memory through a texture: tex1Dfetch of floats, of integers as they are and as numbers from 0
// to 1, of vectors; an index outside reads 0.
#include "common.h"
#include <cstring>

template <class T>
static cudaTextureObject_t textureOf(T *memory, size_t count,
                                     cudaTextureReadMode mode = cudaReadModeElementType)
{
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = count * sizeof(T);
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.readMode = mode;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

/* y = A x, with x read through a texture: rows of a sparse matrix touch it in no order. */
__global__ void spmv(int rows, const int *begin, const int *column, const float *value, cudaTextureObject_t x,
                     float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = begin[row]; i < begin[row + 1]; i++)
        sum += value[i] * tex1Dfetch<float>(x, column[i]);
    y[row] = sum;
}

/* Each thread reads its element, and those far before and behind. */
__global__ void around(cudaTextureObject_t bytes, cudaTextureObject_t parts, int n, int *out, float *part)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar4 here = tex1Dfetch<uchar4>(bytes, i), before, behind;
    tex1Dfetch(&before, bytes, i - n);
    tex1Dfetch(&behind, bytes, i + n);
    out[i] = here.x + here.y + here.z + here.w + 1000 * (before.x + before.w + behind.y + behind.z);
    float4 f = tex1Dfetch<float4>(parts, i);
    part[i] = f.x + f.y + f.z + f.w;
}

int main()
{
    const int rows = 1500, per_row = 11, n = rows * per_row;
    Random random(3);
    int *begin, *column;
    float *value, *x, *y;
    CHECK(cudaMallocManaged(&begin, (rows + 1) * sizeof(int)));
    CHECK(cudaMallocManaged(&column, n * sizeof(int)));
    CHECK(cudaMallocManaged(&value, n * sizeof(float)));
    CHECK(cudaMallocManaged(&y, rows * sizeof(float)));
    std::vector<float> host_x(rows);
    for (float &v : host_x)
        v = random.uniform();
    for (int r = 0; r <= rows; r++)
        begin[r] = r * per_row;
    for (int i = 0; i < n; i++) {
        column[i] = (int)(random.next() % rows);
        value[i] = random.uniform();
    }
    CHECK(cudaMalloc(&x, rows * sizeof(float)));
    CHECK(cudaMemcpy(x, host_x.data(), rows * sizeof(float), cudaMemcpyHostToDevice));
    cudaTextureObject_t texture = textureOf(x, rows);
    spmv<<<blocks_for(rows, 128), 128>>>(rows, begin, column, value, texture, y);
    CHECK_KERNEL();
    std::vector<float> got(y, y + rows), wanted(rows);
    for (int r = 0; r < rows; r++)
        for (int i = begin[r]; i < begin[r + 1]; i++)
            wanted[r] += value[i] * host_x[column[i]];
    bool good = close(got, wanted);

    const int m = 777;
    std::vector<uchar4> pixels(m);
    for (uchar4 &p : pixels)
        p = make_uchar4(random.next() % 256, random.next() % 256, random.next() % 256, random.next() % 256);
    uchar4 *d_pixels;
    int *sums;
    float *parts;
    CHECK(cudaMalloc(&d_pixels, m * sizeof(uchar4)));
    CHECK(cudaMallocManaged(&sums, m * sizeof(int)));
    CHECK(cudaMallocManaged(&parts, m * sizeof(float)));
    CHECK(cudaMemcpy(d_pixels, pixels.data(), m * sizeof(uchar4), cudaMemcpyHostToDevice));
    cudaTextureObject_t bytes = textureOf(d_pixels, m);
    cudaTextureObject_t normalized = textureOf(d_pixels, m, cudaReadModeNormalizedFloat);
    around<<<blocks_for(m, 128), 128>>>(bytes, normalized, m, sums, parts);
    CHECK_KERNEL();
    for (int i = 0; i < m; i++) {
        int sum = pixels[i].x + pixels[i].y + pixels[i].z + pixels[i].w;
        good &= sums[i] == sum && fabs(parts[i] - sum / 255.0) <= 4e-6; // four roundings of numbers up to 4
    }

    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaDestroyTextureObject(bytes));
    CHECK(cudaDestroyTextureObject(normalized));
    for (void *p : {(void *)begin, (void *)column, (void *)value, (void *)x, (void *)y, (void *)d_pixels,
                    (void *)sums, (void *)parts})
        CHECK(cudaFree(p));
    return report(good);
}
