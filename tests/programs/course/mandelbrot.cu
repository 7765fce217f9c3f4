// The Mandelbrot set and a Julia set: a complex number as a class of the device, an image of bytes, lines of
// a picture in letters at the end.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <string>

static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

#define DIM 128

struct cuComplex {
    float r;
    float i;
    __host__ __device__ cuComplex(float a, float b) : r(a), i(b)
    {
    }
    __host__ __device__ float magnitude2(void)
    {
        return r * r + i * i;
    }
    __host__ __device__ cuComplex operator*(const cuComplex &a)
    {
        return cuComplex(r * a.r - i * a.i, i * a.r + r * a.i);
    }
    __host__ __device__ cuComplex operator+(const cuComplex &a)
    {
        return cuComplex(r + a.r, i + a.i);
    }
};

__host__ __device__ int iterate(cuComplex z, cuComplex c, int limit)
{
    int n = 0;
    for (; n < limit; n++) {
        z = z * z + c;
        if (z.magnitude2() > 1000)
            break;
    }
    return n;
}

__device__ int julia(int x, int y)
{
    const float scale = 1.5;
    float jx = scale * (float)(DIM / 2 - x) / (DIM / 2);
    float jy = scale * (float)(DIM / 2 - y) / (DIM / 2);
    return iterate(cuComplex(jx, jy), cuComplex(-0.8, 0.156), 200);
}

__global__ void julia_kernel(unsigned char *ptr)
{
    // one block a pixel
    int x = blockIdx.x;
    int y = blockIdx.y;
    int offset = x + y * gridDim.x;
    ptr[offset * 4 + 0] = julia(x, y) == 200 ? 255 : 0;
    ptr[offset * 4 + 1] = 0;
    ptr[offset * 4 + 2] = 0;
    ptr[offset * 4 + 3] = 255;
}

__global__ void mandelbrot_kernel(uchar4 *image, int width, int height, float2 centre, float scale)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= width || y >= height)
        return;
    float cr = centre.x + (x - width / 2) * scale, ci = centre.y + (y - height / 2) * scale;
    unsigned char n = (unsigned char)iterate(cuComplex(0, 0), cuComplex(cr, ci), 255);
    image[y * width + x] = make_uchar4(n, n / 2, 255 - n, 255);
}

int main(void)
{
    const int image_size = DIM * DIM * 4;
    std::vector<unsigned char> bitmap(image_size);
    unsigned char *dev_bitmap;

    HANDLE_ERROR(cudaMalloc((void **)&dev_bitmap, image_size));
    dim3 grid(DIM, DIM);
    julia_kernel<<<grid, 1>>>(dev_bitmap);
    HANDLE_ERROR(cudaMemcpy(bitmap.data(), dev_bitmap, image_size, cudaMemcpyDeviceToHost));
    HANDLE_ERROR(cudaFree(dev_bitmap));
    int inside = 0, mirrored = 0;
    for (int y = 1; y < DIM; y++)
        for (int x = 1; x < DIM; x++) {
            bool set = bitmap[(y * DIM + x) * 4] == 255;
            inside += set;
            mirrored += set == (bitmap[((DIM - y) * DIM + DIM - x) * 4] == 255);
        }
    // The set is its own mirror image in the origin.
    bool good = inside > 20 && mirrored > (DIM - 1) * (DIM - 1) * 99 / 100;
    printf("Julia: %s\n", good ? "symmetric" : "NOT SYMMETRIC");

    const int width = 78, height = 30;
    uchar4 *image;
    HANDLE_ERROR(cudaMallocManaged(&image, width * height * sizeof(uchar4)));
    mandelbrot_kernel<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(
        image, width, height, make_float2(-0.6f, 0.f), 0.04f);
    HANDLE_ERROR(cudaDeviceSynchronize());
    int area = 0;
    for (int y = 0; y < height; y++) {
        std::string line;
        for (int x = 0; x < width; x++) {
            int n = image[y * width + x].x;
            line += n == 255 ? '#' : n > 8 ? '+' : n > 4 ? '.' : ' ';
            area += n == 255;
        }
        puts(line.c_str());
    }
    HANDLE_ERROR(cudaFree(image));
    good = good && area * 0.04 * 0.04 > 1.2 && area * 0.04 * 0.04 < 1.8; // its area is about 1.51
    puts(good ? "PASSED" : "FAILED");
    return good ? 0 : 1;
}
