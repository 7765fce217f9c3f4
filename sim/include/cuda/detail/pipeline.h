/**
 * @file pipeline.h
 * @brief <cuda/pipeline>: copies that are under way while others are worked on, stage by stage.
 *
 * One thread's own (make_pipeline()), or a block's, where some threads bring what others use: two barriers a
 * stage, "it is there" and "it is free again". Copies are made at the call (detail/memcpy_async.h).
 */
#ifndef UMSIM_CUDA_PIPELINE_H
#define UMSIM_CUDA_PIPELINE_H

#include "barrier.h"

namespace cuda
{

/** What a thread of a block's pipeline does. */
enum class pipeline_role { producer, consumer };

/** @cond internal */
namespace detail
{
template <thread_scope Scope> struct pipeline_stage {
    barrier<Scope> produced, consumed;
};
struct pipelines;
} // namespace detail
/** @endcond */

/** What the threads of a pipeline share: in __shared__ memory, or in global memory for more than a block. */
template <thread_scope Scope, uint8_t Stages> class pipeline_shared_state
{
  public:
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
    pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;

  private:
    friend struct detail::pipelines;
    detail::pipeline_stage<Scope> stages_[Stages];
    unsigned count_;
};

/** A thread's view of a pipeline that several threads share. */
template <thread_scope Scope> class pipeline
{
  public:
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    /** Waits until the next stage is free. */
    __device__ void producer_acquire(UMSIM_PLACE)
    {
        stages_[head_].consumed.wait_parity(free_parity_, file, line);
    }
    /** The stage has what was copied. */
    __device__ void producer_commit()
    {
        stages_[head_].produced.arrive();
        next(head_, free_parity_);
    }
    /** Waits until the oldest stage has what was copied. */
    __device__ void consumer_wait(UMSIM_PLACE)
    {
        stages_[tail_].produced.wait_parity(full_parity_, file, line);
    }
    template <class Rep, class Period>
    __device__ bool consumer_wait_for(const ::std::chrono::duration<Rep, Period> &duration)
    {
        return stages_[tail_].produced.try_wait_parity_for(full_parity_, duration);
    }
    template <class Clock, class Duration>
    __device__ bool consumer_wait_until(const ::std::chrono::time_point<Clock, Duration> &time)
    {
        return consumer_wait_for(time - Clock::now());
    }
    /** The stage is not needed any more. */
    __device__ void consumer_release()
    {
        stages_[tail_].consumed.arrive();
        next(tail_, full_parity_);
    }
    /** Leaves the pipeline. @return whether this was the last thread (not told here: false) */
    __device__ bool quit()
    {
        return false;
    }

  private:
    friend struct detail::pipelines;
    pipeline(detail::pipeline_stage<Scope> *stages, unsigned count) : stages_(stages), count_(count)
    {
    }
    void next(unsigned &stage, bool &parity)
    {
        if (++stage == count_) {
            stage = 0;
            parity = !parity;
        }
    }
    detail::pipeline_stage<Scope> *stages_;
    unsigned count_, head_ = 0, tail_ = 0;
    bool free_parity_ = true, full_parity_ = false;
};

/** A thread's own pipeline: what it has committed, it waits for. */
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
    template <class Rep, class Period> bool consumer_wait_for(const ::std::chrono::duration<Rep, Period> &)
    {
        return true;
    }
    template <class Clock, class Duration>
    bool consumer_wait_until(const ::std::chrono::time_point<Clock, Duration> &)
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
    template <thread_scope Scope, uint8_t Stages>
    static void prepare(pipeline_shared_state<Scope, Stages> *shared, ptrdiff_t producers,
                        ptrdiff_t consumers)
    {
        for (unsigned i = 0; i < Stages; i++) {
            init(&shared->stages_[i].produced, producers);
            init(&shared->stages_[i].consumed, consumers);
        }
    }
    template <class Group, thread_scope Scope, uint8_t Stages>
    __device__ static pipeline<Scope> join(const Group &group, pipeline_shared_state<Scope, Stages> *shared,
                                           ptrdiff_t producers, ptrdiff_t consumers)
    {
        if (group.thread_rank() == 0)
            prepare(shared, producers, consumers);
        group.sync();
        umsim_synchronised(0);
        return pipeline<Scope>(shared->stages_, Stages);
    }
    template <thread_scope Scope, uint8_t Stages>
    static unsigned *count(pipeline_shared_state<Scope, Stages> *shared)
    {
        return &shared->count_;
    }
};
} // namespace detail
/** @endcond */

/** The calling thread's own. */
inline pipeline<thread_scope_thread> make_pipeline()
{
    return detail::pipelines::of_thread();
}
/** All threads of the group bring and use. */
template <class Group, thread_scope Scope, uint8_t Stages>
__device__ inline pipeline<Scope> make_pipeline(const Group &group,
                                                pipeline_shared_state<Scope, Stages> *shared)
{
    return detail::pipelines::join(group, shared, (ptrdiff_t)group.size(), (ptrdiff_t)group.size());
}
/** The first `producers` threads bring, the others use. */
template <class Group, thread_scope Scope, uint8_t Stages>
__device__ inline pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *shared, size_t producers)
{
    return detail::pipelines::join(group, shared, (ptrdiff_t)producers,
                                   (ptrdiff_t)(group.size() - producers));
}
/** Each thread says what it does. */
template <class Group, thread_scope Scope, uint8_t Stages>
__device__ inline pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *shared, pipeline_role role)
{
    unsigned *producers = detail::pipelines::count(shared);
    if (group.thread_rank() == 0)
        __atomic_store_n(producers, 0u, __ATOMIC_RELEASE);
    group.sync();
    if (role == pipeline_role::producer)
        __atomic_fetch_add(producers, 1u, __ATOMIC_ACQ_REL);
    group.sync();
    return make_pipeline(group, shared, (size_t)__atomic_load_n(producers, __ATOMIC_ACQUIRE));
}

/** Waits until all but the last `Prior` commits of the thread have been made (here: all are). */
template <uint8_t Prior> inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &)
{
}
/** Lets the barrier's phase end no earlier than what the thread has committed (here: it is made). */
template <thread_scope Scope>
inline void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<Scope> &)
{
}

/** Copies as part of the stage that the pipeline fills. */
template <class T, class Size, thread_scope Scope>
inline async_contract_fulfillment memcpy_async(T *to, const T *from, Size bytes, pipeline<Scope> &)
{
    return detail::copy(to, from, bytes);
}
/** The same by all threads of a group. */
template <class Group, class T, class Size, thread_scope Scope>
__device__ inline async_contract_fulfillment memcpy_async(const Group &group, T *to, const T *from,
                                                          Size bytes, pipeline<Scope> &)
{
    return detail::copy_together(group, to, from, bytes);
}

} // namespace cuda

#endif
