/**
 * @file cooperative_groups.h
 * @brief Groups of threads that do things together: blocks, tiles of a warp, the lanes that are here, the grid.
 *
 * The names and their meaning are those of CUDA's cooperative groups. A group is a handle: each of its threads has one,
 * and calls its methods together with the others. What its lanes do together are the warp's own operations
 * (umsim_warp.h), with the same messages where they would wait in vain. In files that umcc compiles.
 *
 * Not provided: tiles of more than a warp, clusters, block.barrier_arrive() and barrier_wait().
 */
#ifndef UMSIM_COOPERATIVE_GROUPS_H
#define UMSIM_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#ifdef __UMCC__

/** @cond internal */
#define UMSIM_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()
/** @endcond */

namespace cooperative_groups
{

/** @cond internal */
namespace details
{

/* Makes groups, and looks into them. */
struct access;

__device__ inline unsigned block_threads()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
__device__ inline unsigned block_thread()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned lane()
{
    return block_thread() % 32;
}
__device__ inline unsigned long long grid_blocks()
{
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
__device__ inline unsigned long long grid_block()
{
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
/* The tile of `size` lanes that this thread is in. */
__device__ inline unsigned tile_mask(unsigned size)
{
    return (umsim::full_mask >> (32 - size)) << (lane() & (0u - size));
}
/* The lanes of `mask` before this one. */
__device__ inline unsigned before(unsigned mask)
{
    return mask & ((1u << lane()) - 1);
}
/* The bits of `lanes` that are in `mask`, side by side. */
__device__ inline unsigned pack(unsigned lanes, unsigned mask)
{
    unsigned packed = 0;
    for (unsigned rank = 0; mask != 0; mask &= mask - 1, rank++)
        packed |= (unsigned)((lanes & mask & (0u - mask)) != 0) << rank;
    return packed;
}

} // namespace details
/** @endcond */

/** Any group: what functions take that work for all of them. */
class thread_group
{
  public:
    /** Waits for all threads of the group. */
    __device__ void sync(UMSIM_PLACE) const
    {
        if (mask_ == 0)
            umsim_syncthreads(file, line);
        else
            umsim_warp(UMSIM_SYNCWARP, mask_, 0, 0, file, line);
    }
    /** Number of its threads. */
    __device__ unsigned long long size() const
    {
        return mask_ == 0 ? details::block_threads() : __popc(mask_);
    }
    /** Same. */
    __device__ unsigned long long num_threads() const
    {
        return size();
    }
    /** This thread's number in it, from 0. */
    __device__ unsigned long long thread_rank() const
    {
        return mask_ == 0 ? details::block_thread() : __popc(details::before(mask_));
    }
    /** Whether its threads can wait for each other. */
    __device__ bool is_valid() const
    {
        return true;
    }

  protected:
    __device__ explicit thread_group(unsigned mask) : mask_(mask)
    {
    }
    unsigned mask_; /* lanes of the warp; 0 is the whole block */
    friend struct details::access;
};

/** All threads of a block: this_thread_block(). */
class thread_block : public thread_group
{
  public:
    /** Waits as __syncthreads() does. */
    __device__ static void sync(UMSIM_PLACE)
    {
        umsim_syncthreads(file, line);
    }
    /** Threads of the block. */
    __device__ static unsigned size()
    {
        return details::block_threads();
    }
    /** Same. */
    __device__ static unsigned num_threads()
    {
        return size();
    }
    /** This thread's number in the block, x counted fastest. */
    __device__ static unsigned thread_rank()
    {
        return details::block_thread();
    }
    /** blockIdx */
    __device__ static dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    /** threadIdx */
    __device__ static dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    /** blockDim */
    __device__ static dim3 group_dim()
    {
        return blockDim;
    }
    /** blockDim */
    __device__ static dim3 dim_threads()
    {
        return blockDim;
    }

  private:
    __device__ thread_block() : thread_group(0)
    {
    }
    friend struct details::access;
};

/** All threads of a launch: this_grid(). */
class grid_group
{
  public:
    /** Waits for all threads of the grid. Needs cudaLaunchCooperativeKernel(). */
    __device__ void sync(UMSIM_PLACE) const
    {
        umsim_grid_sync(file, line);
    }
    /** Whether sync() can be called: after a cooperative launch. */
    __device__ bool is_valid() const
    {
        return umsim_grid_is_cooperative() != 0;
    }
    /** Threads of the grid. */
    __device__ static unsigned long long size()
    {
        return details::grid_blocks() * details::block_threads();
    }
    /** Same. */
    __device__ static unsigned long long num_threads()
    {
        return size();
    }
    /** This thread's number in the grid. */
    __device__ static unsigned long long thread_rank()
    {
        return details::grid_block() * details::block_threads() + details::block_thread();
    }
    /** Blocks of the grid. */
    __device__ static unsigned long long num_blocks()
    {
        return details::grid_blocks();
    }
    /** This block's number in the grid, x counted fastest. */
    __device__ static unsigned long long block_rank()
    {
        return details::grid_block();
    }
    /** blockIdx */
    __device__ static dim3 block_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    /** gridDim */
    __device__ static dim3 group_dim()
    {
        return gridDim;
    }
    /** gridDim */
    __device__ static dim3 dim_blocks()
    {
        return gridDim;
    }

  private:
    __device__ grid_group()
    {
    }
    friend struct details::access;
};

/** @cond internal */
namespace details
{

/* What lanes of a warp can do together; `Group` says which lane has which rank. */
template <class Group> class lanes : public thread_group
{
  public:
    /** The value that the thread of rank `source` passes. */
    template <class T> __device__ T shfl(T value, int source, UMSIM_PLACE) const
    {
        return umsim::from_lane(UMSIM_SHFL, mask_, value, self().lane_of(self().wrap((unsigned)source)), file,
                                line);
    }
    /** The value of the thread `delta` ranks below; its own where there is none. */
    template <class T> __device__ T shfl_up(T value, unsigned delta, UMSIM_PLACE) const
    {
        const unsigned rank = self().rank(), source = delta > rank ? rank : rank - delta;
        return umsim::from_lane(UMSIM_SHFL_UP, mask_, value, self().lane_of(source), file, line);
    }
    /** The value of the thread `delta` ranks above; its own where there is none. */
    template <class T> __device__ T shfl_down(T value, unsigned delta, UMSIM_PLACE) const
    {
        const unsigned rank = self().rank(), source = delta >= self().count() - rank ? rank : rank + delta;
        return umsim::from_lane(UMSIM_SHFL_DOWN, mask_, value, self().lane_of(source), file, line);
    }
    /** Whether the predicate holds for any thread. */
    __device__ int any(int predicate, UMSIM_PLACE) const
    {
        return (int)umsim_warp(UMSIM_ANY, mask_, predicate != 0, 0, file, line);
    }
    /** Whether it holds for all. */
    __device__ int all(int predicate, UMSIM_PLACE) const
    {
        return (int)umsim_warp(UMSIM_ALL, mask_, predicate != 0, 0, file, line);
    }
    /** The ranks for which it holds, as bits. */
    __device__ unsigned ballot(int predicate, UMSIM_PLACE) const
    {
        return self().ranks_of((unsigned)umsim_warp(UMSIM_BALLOT, mask_, predicate != 0, 0, file, line));
    }
    /** The ranks that have this thread's value. */
    template <class T> __device__ unsigned match_any(T value, UMSIM_PLACE) const
    {
        return self().ranks_of(
            (unsigned)umsim_warp(UMSIM_MATCH_ANY, mask_, umsim::to_lanes(value), 0, file, line));
    }
    /** All ranks where all have one value, else 0. */
    template <class T> __device__ unsigned match_all(T value, int &all, UMSIM_PLACE) const
    {
        const unsigned same =
            (unsigned)umsim_warp(UMSIM_MATCH_ALL, mask_, umsim::to_lanes(value), 0, file, line);
        all = same != 0;
        return self().ranks_of(same);
    }
    /** Groups that the parent was cut into. */
    __device__ unsigned meta_group_size() const
    {
        return siblings_;
    }
    /** This group's number among them. */
    __device__ unsigned meta_group_rank() const
    {
        return number_;
    }

  protected:
    __device__ lanes(unsigned mask, unsigned siblings, unsigned number)
        : thread_group(mask), siblings_(siblings), number_(number)
    {
    }
    __device__ const Group &self() const
    {
        return static_cast<const Group &>(*this);
    }
    unsigned siblings_, number_;
};

/* A tile: lanes side by side, a power of two of them. */
template <unsigned Size> class tile : public lanes<tile<Size>>
{
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads (more than a warp are not provided)");

  public:
    /** Number of its threads. */
    __device__ static constexpr unsigned size()
    {
        return Size;
    }
    /** Same. */
    __device__ static constexpr unsigned num_threads()
    {
        return Size;
    }
    /** This thread's number in it. */
    __device__ static unsigned thread_rank()
    {
        return lane() % Size;
    }
    /** The value of the thread whose rank differs in the bits of `ranks`. */
    template <class T> __device__ T shfl_xor(T value, unsigned ranks, UMSIM_PLACE) const
    {
        const unsigned source = rank() ^ ranks;
        return umsim::from_lane(UMSIM_SHFL_XOR, this->mask_, value, lane_of(source < Size ? source : rank()),
                                file, line);
    }

  protected:
    __device__ tile(unsigned siblings, unsigned number) : lanes<tile>(tile_mask(Size), siblings, number)
    {
    }

  private:
    friend class lanes<tile>;
    __device__ static unsigned rank()
    {
        return lane() % Size;
    }
    __device__ static unsigned count()
    {
        return Size;
    }
    __device__ static unsigned wrap(unsigned rank)
    {
        return rank % Size;
    }
    __device__ static unsigned lane_of(unsigned rank)
    {
        return (lane() & (0u - Size)) | rank;
    }
    __device__ static unsigned ranks_of(unsigned lanes)
    {
        return lanes >> (lane() & (0u - Size));
    }
};

} // namespace details
/** @endcond */

/** A tile of a block or of a larger tile: tiled_partition<Size>(). */
template <unsigned Size, class Parent = void> class thread_block_tile : public details::tile<Size>
{
    __device__ thread_block_tile(unsigned siblings, unsigned number) : details::tile<Size>(siblings, number)
    {
    }
    friend struct details::access;
};

/** A tile whose parent's type does not matter: what functions take. */
template <unsigned Size> class thread_block_tile<Size, void> : public details::tile<Size>
{
  public:
    /** From a tile of any parent. */
    template <class Parent>
    __device__ thread_block_tile(const thread_block_tile<Size, Parent> &other) : details::tile<Size>(other)
    {
    }

  private:
    __device__ thread_block_tile() : details::tile<Size>(1, 0)
    {
    }
    friend struct details::access;
};

/** Some lanes of a warp: coalesced_threads(), labeled_partition(), binary_partition(). Ranks follow the lanes. */
class coalesced_group : public details::lanes<coalesced_group>
{
  public:
    /** Number of its threads. */
    __device__ unsigned size() const
    {
        return (unsigned)__popc(mask_);
    }
    /** Same. */
    __device__ unsigned num_threads() const
    {
        return size();
    }
    /** This thread's number in it. */
    __device__ unsigned thread_rank() const
    {
        return rank();
    }

  private:
    friend class details::lanes<coalesced_group>;
    __device__ explicit coalesced_group(unsigned mask, unsigned siblings = 1, unsigned number = 0)
        : details::lanes<coalesced_group>(mask, siblings, number)
    {
    }
    __device__ unsigned rank() const
    {
        return (unsigned)__popc(details::before(mask_));
    }
    __device__ unsigned count() const
    {
        return (unsigned)__popc(mask_);
    }
    __device__ unsigned wrap(unsigned rank) const
    {
        return rank;
    }
    __device__ unsigned lane_of(unsigned rank) const
    {
        return rank < 32 ? __fns(mask_, 0, (int)rank + 1) & 31 : 0;
    }
    __device__ unsigned ranks_of(unsigned lanes) const
    {
        return details::pack(lanes, mask_);
    }
    /* The lanes whose ranks, cut into parts of `size`, are in this thread's part. */
    __device__ coalesced_group part(unsigned size) const
    {
        unsigned mask = 0;
        const unsigned first = rank() / size * size;
        for (unsigned r = first; r < first + size && r < count(); r++)
            mask |= 1u << lane_of(r);
        return coalesced_group(mask, (count() + size - 1) / size, rank() / size);
    }
    friend struct details::access;
};

/** @cond internal */
namespace details
{

struct access {
    template <class Group, class... A> __device__ static Group make(A... arguments)
    {
        return Group(arguments...);
    }
    __device__ static unsigned mask(const thread_group &group)
    {
        return group.mask_;
    }
    __device__ static coalesced_group part(const coalesced_group &group, unsigned size)
    {
        return group.part(size);
    }
};

} // namespace details
/** @endcond */

/** @name Groups that are there
 * @{ */
/** The block that this thread is in. */
__device__ inline thread_block this_thread_block()
{
    return details::access::make<thread_block>();
}
/** The launch that it is in. */
__device__ inline grid_group this_grid()
{
    return details::access::make<grid_group>();
}
/** This thread alone. */
__device__ inline thread_block_tile<1> this_thread()
{
    return details::access::make<thread_block_tile<1>>();
}
/** The lanes of the warp that have come to this call. */
__device__ inline __attribute__((always_inline)) coalesced_group coalesced_threads()
{
    return details::access::make<coalesced_group>(umsim_activemask());
}
/** @} */

/** @name Methods as functions
 * @{ */
/** Waits for all threads of a group. */
template <class Group> __device__ inline void sync(const Group &group, UMSIM_PLACE)
{
    group.sync(file, line);
}
/** This thread's number in it. */
template <class Group> __device__ inline auto thread_rank(const Group &group) -> decltype(group.thread_rank())
{
    return group.thread_rank();
}
/** Number of its threads. */
template <class Group> __device__ inline auto group_size(const Group &group) -> decltype(group.size())
{
    return group.size();
}
/** @} */

} // namespace cooperative_groups

#undef UMSIM_PLACE

#include "cooperative_groups/partition.h"

#endif /* __UMCC__ */
#endif
