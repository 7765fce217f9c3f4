/**
 * @file kernels.h
 * @brief Kernels of a course, as anybody writes them: bench/works.cu has them beside plain C with OpenMP, and
 * OpenCL compiles the same text (opencl.c).
 *
 * For OpenCL each pointer among a kernel's parameters becomes one to global memory. So there are no other
 * pointers here, and what has two names (expf and exp) is in opencl.c's list.
 */
#define TILE 16   /* of a tiled multiply */
#define SQUARE 32 /* of a transpose */
#define BLOCK 256 /* threads of a block of one dimension */
#define BINS 256  /* of a histogram */
#define SOFTENING 1e-2f

__global__ void naive_multiply(float *c, const float *a, const float *b, int side)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side)
        return;
    float sum = 0;
    for (int k = 0; k < side; k++)
        sum += a[y * side + k] * b[k * side + x];
    c[y * side + x] = sum;
}

__global__ void tiled_multiply(float *c, const float *a, const float *b, int side)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < side / TILE; t++) {
        as[y][x] = a[row * side + t * TILE + x];
        bs[y][x] = b[(t * TILE + y) * side + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * side + column] = sum;
}

__global__ void transpose(float *out, const float *in, int side)
{
    __shared__ float tile[SQUARE][SQUARE + 1];
    int x = blockIdx.x * SQUARE + threadIdx.x, y = blockIdx.y * SQUARE + threadIdx.y;
    for (int j = 0; j < SQUARE; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * side + x];
    __syncthreads();
    x = blockIdx.y * SQUARE + threadIdx.x;
    y = blockIdx.x * SQUARE + threadIdx.y;
    for (int j = 0; j < SQUARE; j += 8)
        out[(y + j) * side + x] = tile[threadIdx.x][threadIdx.y + j];
}

/* Blelloch's exclusive scan of two elements a thread. */
__global__ void scan_blocks(int *out, int *sums, const int *in, int n)
{
    __shared__ int part[2 * BLOCK];
    const int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + 2 * t;
    int offset = 1;
    part[2 * t] = i < n ? in[i] : 0;
    part[2 * t + 1] = i + 1 < n ? in[i + 1] : 0;
    for (int d = BLOCK; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            part[offset * (2 * t + 2) - 1] += part[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) {
        sums[blockIdx.x] = part[2 * BLOCK - 1];
        part[2 * BLOCK - 1] = 0;
    }
    for (int d = 1; d <= BLOCK; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1, was = part[left];
            part[left] = part[right];
            part[right] += was;
        }
    }
    __syncthreads();
    if (i < n)
        out[i] = part[2 * t];
    if (i + 1 < n)
        out[i + 1] = part[2 * t + 1];
}

__global__ void add_sums(int *out, const int *sums, int n)
{
    const int i = blockIdx.x * 2 * BLOCK + threadIdx.x;
    if (i < n)
        out[i] += sums[blockIdx.x];
    if (i + BLOCK < n)
        out[i + BLOCK] += sums[blockIdx.x];
}

__global__ void reduce(float *sums, const float *a, int n)
{
    __shared__ float part[BLOCK];
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        sum += a[i];
    part[t] = sum;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

__global__ void black_scholes(float *calls, float *puts, const float *price, const float *strike,
                              const float *years, float rate, float volatility, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
    const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float k1 = 1 / (1 + 0.2316419f * fabsf(d1)), k2 = 1 / (1 + 0.2316419f * fabsf(d2));
    float c1 =
        0.39894228f * expf(-0.5f * d1 * d1) * k1 *
        (0.31938153f + k1 * (-0.356563782f + k1 * (1.781477937f + k1 * (-1.821255978f + k1 * 1.330274429f))));
    float c2 =
        0.39894228f * expf(-0.5f * d2 * d2) * k2 *
        (0.31938153f + k2 * (-0.356563782f + k2 * (1.781477937f + k2 * (-1.821255978f + k2 * 1.330274429f))));
    if (d1 > 0)
        c1 = 1 - c1;
    if (d2 > 0)
        c2 = 1 - c2;
    const float later = x * expf(-rate * t);
    calls[i] = s * c1 - later * c2;
    puts[i] = later * (1 - c2) - s * (1 - c1);
}

__global__ void histogram(unsigned *total, const unsigned char *data, int n)
{
    __shared__ unsigned part[BINS];
    part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&part[data[i]], 1u);
    __syncthreads();
    atomicAdd(&total[threadIdx.x], part[threadIdx.x]);
}

/* The accelerations of bodies (x, y, z, mass). */
__global__ void attract(float4 *acceleration, const float4 *body, int n)
{
    __shared__ float4 tile[BLOCK];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = body[i];
    float x = 0, y = 0, z = 0;
    for (int first = 0; first < n; first += BLOCK) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < BLOCK; j++) {
            const float4 other = tile[j];
            const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            const float near = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
            const float pull = other.w * near * near * near;
            x += dx * pull;
            y += dy * pull;
            z += dz * pull;
        }
        __syncthreads();
    }
    acceleration[i] = make_float4(x, y, z, 0);
}

__global__ void stencil(float *out, const float *in, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
        out[y * width + x] = 0.2f * (in[y * width + x] + in[y * width + x - 1] + in[y * width + x + 1] +
                                     in[(y - 1) * width + x] + in[(y + 1) * width + x]);
}

/* A step of a bitonic sort. */
__global__ void exchange(unsigned *key, unsigned distance, unsigned run)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
    if (other > i) {
        const unsigned a = key[i], b = key[other];
        if ((i & run) == 0 ? a > b : a < b) {
            key[i] = b;
            key[other] = a;
        }
    }
}

__global__ void mandelbrot(unsigned char *steps, int side, int limit)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= side || row >= side)
        return;
    const float cx = -2 + 3.0f * column / side, cy = -1.5f + 3.0f * row / side;
    float x = 0, y = 0;
    int n = 0;
    while (n < limit && x * x + y * y < 4) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        n++;
    }
    steps[row * side + column] = n;
}
