// Classes on both sides: a vector type with operators, a base class whose objects live in managed memory, a
// matrix view passed by value, a class that owns device memory and launches its own kernels.
#include "common.h"
#include <cstring>

class Managed
{
  public:
    void *operator new(size_t len)
    {
        void *ptr;
        CHECK(cudaMallocManaged(&ptr, len));
        CHECK(cudaDeviceSynchronize());
        return ptr;
    }
    void operator delete(void *ptr)
    {
        cudaDeviceSynchronize();
        cudaFree(ptr);
    }
};

class String : public Managed
{
    int length;
    char *data;

  public:
    String(const char *s) : length((int)strlen(s)), data(nullptr)
    {
        CHECK(cudaMallocManaged(&data, length + 1));
        memcpy(data, s, length + 1);
    }
    String(const String &s) : String(s.data)
    {
    }
    ~String()
    {
        cudaFree(data);
    }
    __host__ __device__ char &operator[](int pos)
    {
        return data[pos];
    }
    __host__ __device__ int size() const
    {
        return length;
    }
    const char *c_str() const
    {
        return data;
    }
};

struct Element : public Managed {
    String name;
    int value;
    Element(const char *n, int v) : name(n), value(v)
    {
    }
};

__global__ void shout(Element *e)
{
    int i = threadIdx.x;
    if (i < e->name.size() && e->name[i] >= 'a' && e->name[i] <= 'z')
        e->name[i] -= 'a' - 'A';
    if (i == 0)
        e->value++;
}

class Vec3
{
  public:
    float x, y, z;
    __host__ __device__ Vec3(float a = 0, float b = 0, float c = 0) : x{a}, y{b}, z{c}
    {
    }
    __host__ __device__ Vec3 operator+(const Vec3 &o) const
    {
        return Vec3(x + o.x, y + o.y, z + o.z);
    }
    __host__ __device__ Vec3 &operator*=(float s)
    {
        x *= s, y *= s, z *= s;
        return *this;
    }
    friend __host__ __device__ Vec3 operator*(float s, Vec3 v)
    {
        return v *= s;
    }
    __host__ __device__ float dot(const Vec3 &o) const;
};

inline __host__ __device__ float Vec3::dot(const Vec3 &o) const
{
    return x * o.x + y * o.y + z * o.z;
}

__global__ void lengths(const Vec3 *v, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Vec3 w = 2.0f * v[i] + Vec3(1.0f);
        out[i] = w.dot(w);
    }
}

template <typename T> class Buffer
{
    T *data_ = nullptr;
    size_t count_ = 0;

    template <typename U> friend __global__ void fillKernel(U *, size_t, U);

  public:
    explicit Buffer(size_t count) : count_(count)
    {
        CHECK(cudaMalloc(&data_, count * sizeof(T)));
    }
    ~Buffer()
    {
        cudaFree(data_);
    }
    Buffer(Buffer &&other) noexcept : data_(other.data_), count_(other.count_)
    {
        other.data_ = nullptr;
    }
    Buffer(const Buffer &) = delete;
    void fill(T value);
    std::vector<T> fetch() const
    {
        std::vector<T> host(count_);
        CHECK(cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }
    T *get()
    {
        return data_;
    }
};

template <typename U> __global__ void fillKernel(U *p, size_t n, U value)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = value;
}

template <typename T> void Buffer<T>::fill(T value)
{
    const int threads = 128;
    fillKernel<<<(unsigned int)((this->count_ + threads - 1) / threads), threads>>>(this->data_, this->count_,
                                                                                    value);
    CHECK(cudaGetLastError());
}

int main()
{
    Element *e = new Element("hello, device", 41);
    shout<<<1, 32>>>(e);
    CHECK_KERNEL();
    bool good = strcmp(e->name.c_str(), "HELLO, DEVICE") == 0 && e->value == 42;
    delete e;

    Buffer<Vec3> points(100);
    points.fill(Vec3(1, 2, 3));
    Buffer<Vec3> moved(std::move(points));
    Buffer<float> out(100);
    lengths<<<1, 128>>>(moved.get(), out.get(), 100);
    CHECK_KERNEL();
    for (float f : out.fetch())
        good &= f == 3 * 3 + 4 * 4 + 6 * 6;
    return report(good);
}
