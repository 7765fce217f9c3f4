/**
 * @file vector_base.h
 * @brief What host_vector, device_vector and universal_vector share: all but where the elements are.
 */
#ifndef UMSIM_THRUST_VECTOR_BASE_H
#define UMSIM_THRUST_VECTOR_BASE_H

#include "../memory.h"
#include "transforming.h"

#include <initializer_list>
#include <memory>

namespace thrust
{
namespace detail
{

/* Where a vector's elements are: `system` constructs them, `pointer` leads to them. */
template <class T> struct host_space {
    using system = on_host;
    using pointer = T *;
    using const_pointer = const T *;
    static void *get(std::size_t bytes)
    {
        return ::operator new(bytes);
    }
    static void put(void *p)
    {
        ::operator delete(p);
    }
};
template <class T> struct device_space {
    using system = on_device;
    using pointer = device_ptr<T>;
    using const_pointer = device_ptr<const T>;
    static void *get(std::size_t bytes)
    {
        return allocate(on_device{}, bytes);
    }
    static void put(void *p)
    {
        cudaFree(p);
    }
};
template <class T> struct universal_space {
    using system = on_device;
    using pointer = universal_ptr<T>;
    using const_pointer = universal_ptr<const T>;
    static void *get(std::size_t bytes)
    {
        void *p = nullptr;
        if (bytes != 0 && cudaMallocManaged(&p, bytes) != cudaSuccess) {
            cudaGetLastError();
            throw std::bad_alloc();
        }
        return p;
    }
    static void put(void *p)
    {
        cudaFree(p);
    }
};

template <class T, class Space> class vector_base
{
  public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using pointer = typename Space::pointer;
    using const_pointer = typename Space::const_pointer;
    using iterator = pointer;
    using const_iterator = const_pointer;
    using reference = decltype(*std::declval<pointer>());
    using const_reference = decltype(*std::declval<const_pointer>());
    using reverse_iterator = std::reverse_iterator<iterator>;
    using const_reverse_iterator = std::reverse_iterator<const_iterator>;

    vector_base() = default;
    explicit vector_base(size_type n)
    {
        resize(n);
    }
    vector_base(size_type n, const T &value)
    {
        resize(n, value);
    }
    template <class I, class = typename std::iterator_traits<I>::iterator_category>
    vector_base(I first, I last)
    {
        assign(first, last);
    }
    vector_base(std::initializer_list<T> list)
    {
        assign(list.begin(), list.end());
    }
    vector_base(const vector_base &other)
    {
        assign(other.begin(), other.end());
    }
    vector_base(vector_base &&other) noexcept
    {
        swap(other);
    }
    template <class U, class Other> vector_base(const vector_base<U, Other> &other)
    {
        assign(other.begin(), other.end());
    }
    template <class U, class A> vector_base(const std::vector<U, A> &other)
    {
        assign(other.begin(), other.end());
    }
    ~vector_base()
    {
        destroy(0, size_);
        if (p_)
            Space::put(p_);
    }
    vector_base &operator=(const vector_base &other)
    {
        if (this != &other)
            assign(other.begin(), other.end());
        return *this;
    }
    vector_base &operator=(vector_base &&other) noexcept
    {
        swap(other);
        return *this;
    }
    template <class U, class Other> vector_base &operator=(const vector_base<U, Other> &other)
    {
        assign(other.begin(), other.end());
        return *this;
    }
    template <class U, class A> vector_base &operator=(const std::vector<U, A> &other)
    {
        assign(other.begin(), other.end());
        return *this;
    }

    iterator begin()
    {
        return iterator(p_);
    }
    iterator end()
    {
        return iterator(p_ + size_);
    }
    const_iterator begin() const
    {
        return const_iterator(p_);
    }
    const_iterator end() const
    {
        return const_iterator(p_ + size_);
    }
    const_iterator cbegin() const
    {
        return begin();
    }
    const_iterator cend() const
    {
        return end();
    }
    reverse_iterator rbegin()
    {
        return reverse_iterator(end());
    }
    reverse_iterator rend()
    {
        return reverse_iterator(begin());
    }
    const_reverse_iterator rbegin() const
    {
        return const_reverse_iterator(end());
    }
    const_reverse_iterator rend() const
    {
        return const_reverse_iterator(begin());
    }
    pointer data()
    {
        return pointer(p_);
    }
    const_pointer data() const
    {
        return const_pointer(p_);
    }
    reference operator[](size_type i)
    {
        return *iterator(p_ + i);
    }
    const_reference operator[](size_type i) const
    {
        return *const_iterator(p_ + i);
    }
    reference front()
    {
        return (*this)[0];
    }
    const_reference front() const
    {
        return (*this)[0];
    }
    reference back()
    {
        return (*this)[size_ - 1];
    }
    const_reference back() const
    {
        return (*this)[size_ - 1];
    }
    size_type size() const
    {
        return size_;
    }
    size_type capacity() const
    {
        return capacity_;
    }
    size_type max_size() const
    {
        return PTRDIFF_MAX / sizeof(T);
    }
    bool empty() const
    {
        return size_ == 0;
    }

    void reserve(size_type n)
    {
        if (n > capacity_)
            move_to(n);
    }
    void shrink_to_fit()
    {
        if (size_ < capacity_)
            move_to(size_);
    }
    void resize(size_type n)
    {
        grow(n);
        T *const p = p_ + size_;
        if (n > size_)
            each(typename Space::system{}, n - size_, [=](index i) { ::new ((void *)(p + i)) T(); });
        cut(n);
    }
    void resize(size_type n, const T &value)
    {
        const T v = value;
        grow(n);
        T *const p = p_ + size_;
        if (n > size_)
            each(typename Space::system{}, n - size_, [=](index i) { ::new ((void *)(p + i)) T(v); });
        cut(n);
    }
    void clear()
    {
        cut(0);
    }
    void push_back(const T &value)
    {
        resize(size_ + 1, value);
    }
    template <class... A> void emplace_back(A &&...a)
    {
        push_back(T(std::forward<A>(a)...));
    }
    void pop_back()
    {
        cut(size_ - 1);
    }
    template <class I, class = typename std::iterator_traits<I>::iterator_category>
    void assign(I first, I last)
    {
        const size_type n = std::distance(first, last);
        if (n > capacity_ || (n > size_ && !std::is_trivially_default_constructible_v<T>))
            cut(0), resize(n);
        cut(n);
        thrust::copy(first, last, begin());
    }
    void assign(size_type n, const T &value)
    {
        const T v = value;
        cut(0);
        resize(n, v);
    }
    iterator erase(const_iterator first, const_iterator last)
    {
        const difference_type at = first - const_iterator(p_), end = last - const_iterator(p_);
        const vector_base rest(const_iterator(p_ + end), const_iterator(p_ + size_));
        cut(at + rest.size());
        thrust::copy(rest.begin(), rest.end(), iterator(p_ + at));
        return iterator(p_ + at);
    }
    iterator erase(const_iterator at)
    {
        return erase(at, at + 1);
    }
    template <class I, class = typename std::iterator_traits<I>::iterator_category>
    iterator insert(const_iterator where, I first, I last)
    {
        const difference_type at = where - const_iterator(p_);
        const vector_base rest(where, const_iterator(p_ + size_)), added(first, last);
        resize(size_ + added.size());
        thrust::copy(added.begin(), added.end(), iterator(p_ + at));
        thrust::copy(rest.begin(), rest.end(), iterator(p_ + at + added.size()));
        return iterator(p_ + at);
    }
    iterator insert(const_iterator where, size_type n, const T &value)
    {
        const vector_base added(n, value);
        return insert(where, added.begin(), added.end());
    }
    iterator insert(const_iterator where, const T &value)
    {
        return insert(where, 1, value);
    }
    void swap(vector_base &other) noexcept
    {
        std::swap(p_, other.p_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }
    friend void swap(vector_base &a, vector_base &b) noexcept
    {
        a.swap(b);
    }

  private:
    void destroy(size_type from, size_type to)
    {
        if constexpr (!Space::system::device && !std::is_trivially_destructible_v<T>)
            std::destroy(p_ + from, p_ + to);
        (void)from, (void)to;
    }
    void cut(size_type n)
    {
        if (n < size_)
            destroy(n, size_);
        size_ = n;
    }
    void grow(size_type n)
    {
        if (n > capacity_)
            move_to(size_ == 0 ? n : std::max(n, 2 * capacity_));
    }
    void move_to(size_type n)
    {
        T *const to = n == 0 ? nullptr : (T *)Space::get(n * sizeof(T)), *const from = p_;
        if (size_ != 0)
            each(typename Space::system{}, size_,
                 [=](index i) { ::new ((void *)(to + i)) T(std::move(from[i])); });
        destroy(0, size_);
        if (p_)
            Space::put(p_);
        p_ = to;
        capacity_ = n;
    }

    T *p_ = nullptr;
    size_type size_ = 0, capacity_ = 0;
};

template <class V> const V &at_host(const V &v)
{
    return v;
}
template <class T> vector_base<T, host_space<T>> at_host(const vector_base<T, device_space<T>> &v)
{
    return v;
}
template <class V, class W> bool equal_vectors(const V &v, const W &w)
{
    if (v.size() != w.size())
        return false;
    const auto &a = at_host(v);
    const auto &b = at_host(w);
    return std::equal(a.begin(), a.end(), b.begin());
}
template <class T, class S, class U, class R>
bool operator==(const vector_base<T, S> &a, const vector_base<U, R> &b)
{
    return equal_vectors(a, b);
}
template <class T, class S, class U, class R>
bool operator!=(const vector_base<T, S> &a, const vector_base<U, R> &b)
{
    return !equal_vectors(a, b);
}
template <class T, class S, class U> bool operator==(const vector_base<T, S> &a, const std::vector<U> &b)
{
    return equal_vectors(a, b);
}
template <class T, class S, class U> bool operator==(const std::vector<U> &a, const vector_base<T, S> &b)
{
    return equal_vectors(a, b);
}
} // namespace detail
} // namespace thrust

/* A vector of that name, with the constructors of the base, and copies by assignment. */
#define UMSIM_THRUST_VECTOR(name, space)                                                                     \
    template <class T> class name : public detail::vector_base<T, detail::space<T>>                          \
    {                                                                                                        \
        using base = detail::vector_base<T, detail::space<T>>;                                               \
                                                                                                             \
      public:                                                                                                \
        using base::base;                                                                                    \
        using base::operator=;                                                                               \
        name() = default;                                                                                    \
    }

#endif
