// What a texture object can be asked for: each address mode, with and without filtering; elements of each
// size, as they are and as numbers up to 1; 16-bit floating point; sRGB; four elements at once. Beside the
// programming guide's formulas.
#include "common.h"
#include <cstring>

#define N 8     // elements of a row
#define SHOWN 5 // mistakes that are told one by one

struct Sampler {
    cudaTextureAddressMode mode;
    cudaTextureFilterMode filter;
    bool normalized;
    const char *name;
};

__global__ void row(cudaTextureObject_t texture, const float *at, int n, float *one, float *two)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    one[i] = tex1D<float>(texture, at[i]);
    two[i] = tex2D<float>(texture, at[i], at[n - 1 - i]);
}

static cudaTextureDesc howOf(const Sampler &sampler)
{
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = sampler.mode;
    how.filterMode = sampler.filter;
    how.normalizedCoords = sampler.normalized;
    how.borderColor[0] = 0.25f;
    return how;
}

template <class T>
static cudaArray_t arrayOf(const T *data, cudaChannelFormatDesc channels, int w, int h, unsigned flags = 0)
{
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &channels, w, h, flags));
    const size_t bytes = (channels.x + channels.y + channels.z + channels.w) / 8 * w;
    CHECK(cudaMemcpy2DToArray(array, 0, 0, data, bytes, bytes, h ? h : 1, cudaMemcpyHostToDevice));
    return array;
}

static cudaTextureObject_t textureOf(cudaArray_t array, const cudaTextureDesc &how)
{
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

/* Element `i` of a row that goes on as the mode says; -1 for the border. */
static int endless(int i, cudaTextureAddressMode mode)
{
    if (i >= 0 && i < N)
        return i;
    if (mode == cudaAddressModeBorder)
        return -1;
    if (mode == cudaAddressModeClamp)
        return i < 0 ? 0 : N - 1;
    if (mode == cudaAddressModeWrap)
        return ((i % N) + N) % N;
    i = ((i % (2 * N)) + 2 * N) % (2 * N);
    return i < N ? i : 2 * N - 1 - i;
}

struct Axis {
    int first;
    double weight; /* of the second */
};

static Axis axisOf(const Sampler &sampler, double x)
{
    x *= sampler.normalized ? N : 1;
    x -= sampler.filter == cudaFilterModeLinear ? 0.5 : 0;
    return {(int)floor(x), sampler.filter == cudaFilterModeLinear ? x - floor(x) : 0};
}

static double reference(const Sampler &sampler, const float image[N][N], double x, double y)
{
    const Axis a = axisOf(sampler, x), b = axisOf(sampler, y);
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        const int c = endless(a.first + k % 2, sampler.mode), r = endless(b.first + k / 2, sampler.mode);
        const double weight = (k % 2 ? a.weight : 1 - a.weight) * (k / 2 ? b.weight : 1 - b.weight);
        sum += weight * (c < 0 || r < 0 ? 0.25 : image[r][c]);
    }
    return sum;
}

static bool address_modes()
{
    const Sampler samplers[] = {
        {cudaAddressModeClamp, cudaFilterModePoint, false, "clamp, point, elements"},
        {cudaAddressModeBorder, cudaFilterModePoint, false, "border, point, elements"},
        {cudaAddressModeClamp, cudaFilterModeLinear, false, "clamp, linear, elements"},
        {cudaAddressModeBorder, cudaFilterModeLinear, false, "border, linear, elements"},
        {cudaAddressModeWrap, cudaFilterModePoint, true, "wrap, point"},
        {cudaAddressModeClamp, cudaFilterModePoint, true, "clamp, point"},
        {cudaAddressModeMirror, cudaFilterModePoint, true, "mirror, point"},
        {cudaAddressModeBorder, cudaFilterModePoint, true, "border, point"},
        {cudaAddressModeWrap, cudaFilterModeLinear, true, "wrap, linear"},
        {cudaAddressModeClamp, cudaFilterModeLinear, true, "clamp, linear"},
        {cudaAddressModeMirror, cudaFilterModeLinear, true, "mirror, linear"},
        {cudaAddressModeBorder, cudaFilterModeLinear, true, "border, linear"},
    };
    const int n = 640;
    float image[N][N];
    Random random(23);
    for (auto &line : image)
        for (float &pixel : line)
            pixel = random.uniform();
    float *at, *one, *two;
    CHECK(cudaMallocManaged(&at, n * sizeof(float)));
    CHECK(cudaMallocManaged(&one, n * sizeof(float)));
    CHECK(cudaMallocManaged(&two, n * sizeof(float)));
    cudaArray_t line = arrayOf(image[0], cudaCreateChannelDesc<float>(), N, 0);
    cudaArray_t square = arrayOf(image[0], cudaCreateChannelDesc<float>(), N, N);
    bool good = true;
    for (const Sampler &sampler : samplers) {
        /* from -2 to 3 times the row, never where one element meets the next */
        for (int i = 0; i < n; i++)
            at[i] = ((i - 256) * 8.0f / 128 + 0.03f) / (sampler.normalized ? N : 1);
        const cudaTextureDesc how = howOf(sampler);
        cudaTextureObject_t of_line = textureOf(line, how), of_square = textureOf(square, how);
        row<<<blocks_for(n, 128), 128>>>(of_square, at, n, one, two); /* one: the first row of the square */
        CHECK_KERNEL();
        std::vector<float> squares(two, two + n);
        row<<<blocks_for(n, 128), 128>>>(of_line, at, n, one, two);
        CHECK_KERNEL();
        /* each weight is off by up to 1/256, where neighbours differ by up to 1 */
        const double slack = sampler.filter == cudaFilterModeLinear ? 1 / 256.0 + 1e-5 : 0;
        int wrong = 0;
        for (int i = 0; i < n; i++) {
            const Axis x = axisOf(sampler, at[i]);
            const int c = endless(x.first, sampler.mode), d = endless(x.first + 1, sampler.mode);
            double in_row =
                (1 - x.weight) * (c < 0 ? 0.25 : image[0][c]) + x.weight * (d < 0 ? 0.25 : image[0][d]);
            /* a GPU takes one dimension for two, at y = 0: between the border and the first row */
            if (sampler.mode == cudaAddressModeBorder && sampler.filter == cudaFilterModeLinear)
                in_row = (in_row + 0.25) / 2;
            const double in_square = reference(sampler, image, at[i], at[n - 1 - i]);
            const bool one_right = fabs(one[i] - in_row) <= slack;
            const bool two_right = fabs(squares[i] - in_square) <= 2 * slack;
            if (!one_right && wrong++ < SHOWN)
                printf("%s: tex1D at %g is %.9g, not %.9g\n", sampler.name, at[i], one[i], in_row);
            if (!two_right && wrong++ < SHOWN)
                printf("%s: tex2D at %g, %g is %.9g, not %.9g\n", sampler.name, at[i], at[n - 1 - i],
                       squares[i], in_square);
        }
        if (wrong)
            printf("%s: %d of %d reads are wrong\n", sampler.name, wrong, 2 * n);
        good &= wrong == 0;
        CHECK(cudaDestroyTextureObject(of_line));
        CHECK(cudaDestroyTextureObject(of_square));
    }
    CHECK(cudaFreeArray(line));
    CHECK(cudaFreeArray(square));
    CHECK(cudaFree(at));
    CHECK(cudaFree(one));
    CHECK(cudaFree(two));
    return good;
}

/* ---- elements ---- */

template <class T> __global__ void read(cudaTextureObject_t texture, int n, T *out)
{
    int i = threadIdx.x;
    if (i < n)
        out[i] = tex2D<T>(texture, i + 0.5f, 0.5f);
}

/* What the texture gives of `data` is what `wanted` makes of it, within `slack`. */
template <class T, class E, class W>
static bool elements(const char *name, const std::vector<E> &data, cudaChannelFormatDesc channels,
                     const cudaTextureDesc &how, W wanted, double slack)
{
    const int n = (int)data.size();
    T *out;
    CHECK(cudaMallocManaged(&out, n * sizeof(T)));
    cudaArray_t array = arrayOf(data.data(), channels, n, 1);
    cudaTextureObject_t texture = textureOf(array, how);
    read<T><<<1, 256>>>(texture, n, out);
    CHECK_KERNEL();
    int wrong = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs((double)out[i] - wanted(data[i])) <= slack) && wrong++ < SHOWN)
            printf("%s: element %d is %.9g, not %.9g\n", name, i, (double)out[i], (double)wanted(data[i]));
    if (wrong)
        printf("%s: %d of %d elements are wrong\n", name, wrong, n);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));
    return wrong == 0;
}

template <class E> static std::vector<E> every(int first, int step)
{
    std::vector<E> data(256);
    for (int i = 0; i < 256; i++)
        data[i] = (E)(first + (long long)i * step);
    return data;
}

static bool formats()
{
    cudaTextureDesc plain, unit;
    memset(&plain, 0, sizeof plain);
    plain.addressMode[0] = plain.addressMode[1] = cudaAddressModeClamp;
    unit = plain;
    unit.readMode = cudaReadModeNormalizedFloat;
    auto same = [](double v) { return v; };
    const double rounding = 1e-7; /* of a float up to 1 */
    bool good = elements<char>("char", every<char>(-128, 1), cudaCreateChannelDesc<char>(), plain, same, 0);
    good &= elements<unsigned char>("uchar", every<unsigned char>(0, 1),
                                    cudaCreateChannelDesc<unsigned char>(), plain, same, 0);
    good &=
        elements<short>("short", every<short>(-32768, 257), cudaCreateChannelDesc<short>(), plain, same, 0);
    good &= elements<unsigned short>("ushort", every<unsigned short>(0, 257),
                                     cudaCreateChannelDesc<unsigned short>(), plain, same, 0);
    good &=
        elements<int>("int", every<int>(-2000000000, 15000001), cudaCreateChannelDesc<int>(), plain, same, 0);
    good &= elements<unsigned>("uint", every<unsigned>(0, 8388607), cudaCreateChannelDesc<unsigned>(), plain,
                               same, 0);
    good &= elements<float>("float", every<float>(-100, 3), cudaCreateChannelDesc<float>(), plain, same, 0);
    good &= elements<float>(
        "char to 1", every<signed char>(-128, 1), cudaCreateChannelDesc<signed char>(), unit,
        [](double v) { return v < -127 ? -1.0 : v / 127; }, rounding);
    good &= elements<float>(
        "uchar to 1", every<unsigned char>(0, 1), cudaCreateChannelDesc<unsigned char>(), unit,
        [](double v) { return v / 255; }, rounding);
    good &= elements<float>(
        "short to 1", every<short>(-32768, 257), cudaCreateChannelDesc<short>(), unit,
        [](double v) { return v < -32767 ? -1.0 : v / 32767; }, rounding);
    good &= elements<float>(
        "ushort to 1", every<unsigned short>(0, 257), cudaCreateChannelDesc<unsigned short>(), unit,
        [](double v) { return v / 65535; }, rounding);
    /* 16-bit floating point: 1 to 2 in steps of 1/1024 */
    good &= elements<float>(
        "half", every<unsigned short>(0x3c00, 4), cudaCreateChannelDescHalf(), plain,
        [](double v) { return 1 + (v - 0x3c00) / 1024; }, 0);
    return good;
}

__global__ void vectors(cudaTextureObject_t pixels, cudaTextureObject_t colours, cudaTextureObject_t square,
                        float *out)
{
    const uchar4 p = tex2D<uchar4>(pixels, 1.5f, 0.5f);
    const float4 c = tex2D<float4>(colours, 0.5f, 0.5f);
    const float4 g = tex2Dgather<float4>(square, 2.0f, 3.0f);
    const float4 all[3] = {make_float4(p.x, p.y, p.z, p.w), c, g};
    for (int i = 0; i < 3; i++) {
        out[4 * i] = all[i].x;
        out[4 * i + 1] = all[i].y;
        out[4 * i + 2] = all[i].z;
        out[4 * i + 3] = all[i].w;
    }
}

static bool several_at_once()
{
    const uchar4 data[2] = {{0, 255, 188, 188}, {1, 20, 200, 255}};
    float square[4][4];
    for (int i = 0; i < 16; i++)
        square[i / 4][i % 4] = i;
    cudaTextureDesc plain, srgb;
    memset(&plain, 0, sizeof plain);
    srgb = plain;
    srgb.readMode = cudaReadModeNormalizedFloat;
    srgb.sRGB = 1;
    cudaArray_t pixels = arrayOf(data, cudaCreateChannelDesc<uchar4>(), 2, 1);
    cudaArray_t gathered = arrayOf(square[0], cudaCreateChannelDesc<float>(), 4, 4, cudaArrayTextureGather);
    cudaTextureObject_t textures[] = {textureOf(pixels, plain), textureOf(pixels, srgb),
                                      textureOf(gathered, plain)};
    float *out;
    CHECK(cudaMallocManaged(&out, 12 * sizeof(float)));
    vectors<<<1, 1>>>(textures[0], textures[1], textures[2], out);
    CHECK_KERNEL();
    const double linear = pow((188 / 255.0 + 0.055) / 1.055, 2.4);
    const double wanted[12] = {1, 20, 200, 255, 0, 1, linear, 188 / 255.0, 13, 14, 10, 9};
    bool good = true;
    for (int i = 0; i < 12; i++) {
        /* sRGB's curve is a GPU's own, to 8 bits and some: half of a step at the least */
        const bool right = fabs(out[i] - wanted[i]) <= (i == 6 ? 0.5 / 255 : i == 7 ? 1e-7 : 0);
        if (!right)
            printf("value %d is %.9g, not %.9g\n", i, out[i], wanted[i]);
        good &= right;
    }
    for (cudaTextureObject_t texture : textures)
        CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(pixels));
    CHECK(cudaFreeArray(gathered));
    CHECK(cudaFree(out));
    return good;
}

int main()
{
    const bool modes = address_modes(), kinds = formats(), more = several_at_once();
    return report(modes && kinds && more);
}
