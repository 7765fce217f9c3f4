/**
 * @file pipeline.h
 * @brief <cuda/pipeline>: copies that are under way while other data is worked on, stage by stage.
 *
 * A pipeline belongs to one thread (make_pipeline()) or to a block, where some threads bring what others
 * use. A block's pipeline has two barriers for each stage: "the data is there" and "the stage is free
 * again". Copies are made at the call (detail/memcpy_async.h).
 */
#ifndef UMSIM_CUDA_PIPELINE_H
#define UMSIM_CUDA_PIPELINE_H

#include "barrier.h"

namespace cuda
{

/** The role of a thread in a block's pipeline. */
enum class pipeline_role { producer, consumer };

/** @cond internal */
namespace detail
{
template <thread_scope _Scope> struct pipeline_stage {
    barrier<_Scope> produced, consumed;
};
struct pipelines;
} // namespace detail
/** @endcond */

/** The state that the threads of a pipeline share: in __shared__ memory, or in global memory for more than a
 * block. */
template <thread_scope _Scope, uint8_t _Stages> class pipeline_shared_state
{
  public:
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
    pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;

  private:
    friend struct detail::pipelines;
    detail::pipeline_stage<_Scope> __stages_[_Stages];
    unsigned __count_;
};

/** A thread's view of a pipeline that several threads share. */
template <thread_scope _Scope> class pipeline
{
  public:
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    /** Waits until the next stage is free. */
    __device__ void producer_acquire(UMSIM_PLACE)
    {
        __stages_[__head_].consumed.wait_parity(__free_parity_, __file, __line);
    }
    /** Marks the stage's copies as complete. */
    __device__ void producer_commit()
    {
        __stages_[__head_].produced.arrive();
        next(__head_, __free_parity_);
    }
    /** Waits until the copies of the oldest stage are complete. */
    __device__ void consumer_wait(UMSIM_PLACE)
    {
        __stages_[__tail_].produced.wait_parity(__full_parity_, __file, __line);
    }
    template <class _Rep, class _Period>
    __device__ bool consumer_wait_for(const ::std::chrono::duration<_Rep, _Period> &__duration)
    {
        return __stages_[__tail_].produced.try_wait_parity_for(__full_parity_, __duration);
    }
    template <class _Clock, class _Duration>
    __device__ bool consumer_wait_until(const ::std::chrono::time_point<_Clock, _Duration> &__time)
    {
        return consumer_wait_for(__time - _Clock::now());
    }
    /** Releases the stage. */
    __device__ void consumer_release()
    {
        __stages_[__tail_].consumed.arrive();
        next(__tail_, __full_parity_);
    }
    /** Leaves the pipeline. @return whether this was the last thread (not determined here: false) */
    __device__ bool quit()
    {
        return false;
    }

  private:
    friend struct detail::pipelines;
    pipeline(detail::pipeline_stage<_Scope> *__stages, unsigned __count)
        : __stages_(__stages), __count_(__count)
    {
    }
    void next(unsigned &__stage, bool &__parity)
    {
        if (++__stage == __count_) {
            __stage = 0;
            __parity = !__parity;
        }
    }
    detail::pipeline_stage<_Scope> *__stages_;
    unsigned __count_, __head_ = 0, __tail_ = 0;
    bool __free_parity_ = true, __full_parity_ = false;
};

/** A thread's own pipeline: it waits for what it has committed itself. */
template <> class pipeline<thread_scope_thread>
{
  public:
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    void producer_acquire()
    {
    }
    void producer_commit()
    {
    }
    void consumer_wait()
    {
    }
    template <class _Rep, class _Period>
    bool consumer_wait_for(const ::std::chrono::duration<_Rep, _Period> &)
    {
        return true;
    }
    template <class _Clock, class _Duration>
    bool consumer_wait_until(const ::std::chrono::time_point<_Clock, _Duration> &)
    {
        return true;
    }
    void consumer_release()
    {
    }
    bool quit()
    {
        return true;
    }

  private:
    friend struct detail::pipelines;
    pipeline() = default;
};

/** @cond internal */
namespace detail
{
struct pipelines {
    static pipeline<thread_scope_thread> of_thread()
    {
        return pipeline<thread_scope_thread>();
    }
    template <thread_scope _Scope, uint8_t _Stages>
    static void prepare(pipeline_shared_state<_Scope, _Stages> *__shared, ptrdiff_t __producers,
                        ptrdiff_t __consumers)
    {
        for (unsigned __i = 0; __i < _Stages; __i++) {
            init(&__shared->__stages_[__i].produced, __producers);
            init(&__shared->__stages_[__i].consumed, __consumers);
        }
    }
    template <class _Group, thread_scope _Scope, uint8_t _Stages>
    __device__ static pipeline<_Scope> join(const _Group &__group,
                                            pipeline_shared_state<_Scope, _Stages> *__shared,
                                            ptrdiff_t __producers, ptrdiff_t __consumers)
    {
        if (__group.thread_rank() == 0)
            prepare(__shared, __producers, __consumers);
        __group.sync();
        umsim_synchronised(0);
        return pipeline<_Scope>(__shared->__stages_, _Stages);
    }
    template <thread_scope _Scope, uint8_t _Stages>
    static unsigned *count(pipeline_shared_state<_Scope, _Stages> *__shared)
    {
        return &__shared->__count_;
    }
};
} // namespace detail
/** @endcond */

/** The calling thread's own pipeline. */
inline pipeline<thread_scope_thread> make_pipeline()
{
    return detail::pipelines::of_thread();
}
/** All threads of the group both bring and use data. */
template <class _Group, thread_scope _Scope, uint8_t _Stages>
__device__ inline pipeline<_Scope> make_pipeline(const _Group &__group,
                                                 pipeline_shared_state<_Scope, _Stages> *__shared)
{
    return detail::pipelines::join(__group, __shared, (ptrdiff_t)__group.size(), (ptrdiff_t)__group.size());
}
/** The first `__producers` threads bring data, the others use it. */
template <class _Group, thread_scope _Scope, uint8_t _Stages>
__device__ inline pipeline<_Scope>
make_pipeline(const _Group &__group, pipeline_shared_state<_Scope, _Stages> *__shared, size_t __producers)
{
    return detail::pipelines::join(__group, __shared, (ptrdiff_t)__producers,
                                   (ptrdiff_t)(__group.size() - __producers));
}
/** Each thread states its role. */
template <class _Group, thread_scope _Scope, uint8_t _Stages>
__device__ inline pipeline<_Scope>
make_pipeline(const _Group &__group, pipeline_shared_state<_Scope, _Stages> *__shared, pipeline_role __role)
{
    unsigned *__producers = detail::pipelines::count(__shared);
    if (__group.thread_rank() == 0)
        __atomic_store_n(__producers, 0u, __ATOMIC_RELEASE);
    __group.sync();
    if (__role == pipeline_role::producer)
        __atomic_fetch_add(__producers, 1u, __ATOMIC_ACQ_REL);
    __group.sync();
    return make_pipeline(__group, __shared, (size_t)__atomic_load_n(__producers, __ATOMIC_ACQUIRE));
}

/** Waits until all but the thread's last `_Prior` commits are complete (here: all are). */
template <uint8_t _Prior> inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &)
{
}
/** The barrier's phase ends no earlier than what the thread has committed (here: it is complete). */
template <thread_scope _Scope>
inline void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<_Scope> &)
{
}

/** Copies as part of the stage that the pipeline fills. */
template <class _Tp, class _Size, thread_scope _Scope>
inline async_contract_fulfillment memcpy_async(_Tp *__to, const _Tp *__from, _Size __bytes,
                                               pipeline<_Scope> &)
{
    return detail::copy(__to, __from, __bytes);
}
/** The same for all threads of a group. */
template <class _Group, class _Tp, class _Size, thread_scope _Scope>
__device__ inline async_contract_fulfillment memcpy_async(const _Group &__group, _Tp *__to, const _Tp *__from,
                                                          _Size __bytes, pipeline<_Scope> &)
{
    return detail::copy_together(__group, __to, __from, __bytes);
}

} // namespace cuda

#endif
