/**
 * @file nvtx3.hpp
 * @brief NVTX in C++: ranges that end with their scope, marks, domains, colors, categories, payloads, over
 * nvToolsExt.h, where no profiler listens.
 *
 * Not provided: payloads of structures, counters, and the checks of NVTX3_FUNC_RANGE_IF_IN's kind.
 */
#ifndef NVTX3_CPP_DEFINITIONS_V1_0
#define NVTX3_CPP_DEFINITIONS_V1_0

#include <array>
#include <atomic>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>

#include "nvToolsExt.h"

#include <cstdint>
#include <string>

namespace nvtx3
{
inline namespace v1
{
/** A color by its parts. */
struct rgb {
    using component_type = std::uint8_t;
    constexpr rgb(component_type __r, component_type __g, component_type __b) noexcept
        : red(__r), green(__g), blue(__b)
    {
    }
    component_type red, green, blue;
};
struct argb {
    using component_type = std::uint8_t;
    constexpr argb(component_type __a, component_type __r, component_type __g, component_type __b) noexcept
        : alpha(__a), red(__r), green(__g), blue(__b)
    {
    }
    component_type alpha, red, green, blue;
};
class color
{
  public:
    using value_type = std::uint32_t;
    constexpr explicit color(value_type __argb) noexcept : __value(__argb)
    {
    }
    constexpr color(argb __c) noexcept
        : __value((value_type)__c.alpha << 24 | (value_type)__c.red << 16 | (value_type)__c.green << 8 |
                  __c.blue)
    {
    }
    constexpr color(rgb __c) noexcept : color(argb(0xff, __c.red, __c.green, __c.blue))
    {
    }
    constexpr value_type get_value() const noexcept
    {
        return __value;
    }

  private:
    value_type __value;
};

/** A category by its number. */
class category
{
  public:
    using id_type = std::uint32_t;
    constexpr explicit category(id_type __id) noexcept : __value(__id)
    {
    }
    constexpr id_type get_id() const noexcept
    {
        return __value;
    }

  private:
    id_type __value;
};

/** A number that goes with an event. */
class payload
{
  public:
    template <class _T> constexpr explicit payload(_T) noexcept
    {
    }
};

/** What stands for all of a program that names no domain. */
struct domain {
    struct global {
    };
};

/** The text of an event. It has to live as long as the event is told. */
class message
{
  public:
    constexpr message(const char *) noexcept
    {
    }
    constexpr message(const wchar_t *) noexcept
    {
    }
    message(const std::string &) noexcept
    {
    }
    message(const std::wstring &) noexcept
    {
    }
};
template <class _D = domain::global> class registered_string_in : public message
{
  public:
    using message::message;
    template <class _M> static const registered_string_in &get()
    {
        static const registered_string_in __made(_M::message);
        return __made;
    }
};
using registered_string = registered_string_in<>;
template <class _D = domain::global> class named_category_in : public category
{
  public:
    named_category_in(id_type __id, const char *) noexcept : category(__id)
    {
    }
    named_category_in(id_type __id, const wchar_t *) noexcept : category(__id)
    {
    }
    template <class _C> static const named_category_in &get()
    {
        static const named_category_in __made(_C::id, _C::name);
        return __made;
    }
};
using named_category = named_category_in<>;

/** Any of the above, in any order. */
class event_attributes
{
  public:
    template <class... _A> constexpr explicit event_attributes(const _A &...) noexcept
    {
    }
};

/** A range that ends with its scope. */
template <class _D = domain::global> class scoped_range_in
{
  public:
    template <class... _A> explicit scoped_range_in(const _A &...) noexcept
    {
    }
    scoped_range_in(const scoped_range_in &) = delete;
    scoped_range_in &operator=(const scoped_range_in &) = delete;
    ~scoped_range_in() noexcept
    {
    }
};
using scoped_range = scoped_range_in<>;

/** A range that another thread may end. */
struct range_handle {
    using value_type = std::uint64_t;
    constexpr explicit range_handle(value_type __id = 0) noexcept : __value(__id)
    {
    }
    constexpr value_type get_value() const noexcept
    {
        return __value;
    }
    value_type __value;
};
template <class _D = domain::global, class... _A> inline range_handle start_range_in(const _A &...) noexcept
{
    return range_handle();
}
template <class... _A> inline range_handle start_range(const _A &...) noexcept
{
    return range_handle();
}
template <class _D = domain::global> inline void end_range_in(range_handle) noexcept
{
}
inline void end_range(range_handle) noexcept
{
}
template <class _D = domain::global> class unique_range_in
{
  public:
    template <class... _A> explicit unique_range_in(const _A &...) noexcept
    {
    }
    unique_range_in(unique_range_in &&) noexcept = default;
    unique_range_in &operator=(unique_range_in &&) noexcept = default;
    unique_range_in(const unique_range_in &) = delete;
    ~unique_range_in() noexcept
    {
    }
};
using unique_range = unique_range_in<>;

/** A moment. */
template <class _D = domain::global, class... _A> inline void mark_in(const _A &...) noexcept
{
}
template <class... _A> inline void mark(const _A &...) noexcept
{
}
} // namespace v1
} // namespace nvtx3

/** A range for the rest of a function, by its name; of a domain. */
#define NVTX3_V1_FUNC_RANGE() ::nvtx3::v1::scoped_range nvtx3_range__(__func__)
#define NVTX3_V1_FUNC_RANGE_IN(D) ::nvtx3::v1::scoped_range_in<D> nvtx3_range__(__func__)
#define NVTX3_FUNC_RANGE() NVTX3_V1_FUNC_RANGE()
#define NVTX3_FUNC_RANGE_IN(D) NVTX3_V1_FUNC_RANGE_IN(D)

#endif
