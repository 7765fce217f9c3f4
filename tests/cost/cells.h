/**
 * @file cells.h
 * @brief How the programs of this folder take a kernel's time: cells, samples, their lines of JSON.
 *
 * The same source runs on a GPU and on the simulator. A cell is one launch of one kernel. Its time is between
 * two events, after launches that warm up what a program would have warm. A line is printed as soon as its
 * cell is known, so that a run that is cut off keeps what it has.
 */
#ifndef COST_CELLS_H
#define COST_CELLS_H

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifndef WARM_UP
#define WARM_UP 2
#endif

inline void must(cudaError_t error, const char *what, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "line %d: %s: %s\n", line, what, cudaGetErrorString(error));
    exit(1);
}
#define MUST(call) must(call, #call, __LINE__)

/** Cells whose name begins with this run; NULL: all. */
extern const char *only;
/** The number by which sizes are divided: 1 on a GPU; more where the simulator only shows that it runs. */
extern size_t divide;
/** How many times of a cell are taken: fewer on the simulator, where they are alike. */
extern int samples;

bool is_asked(const char *name);
void print_cell(const char *name, const std::vector<float> &us);

/** Prints the times of `launch`, a function that launches one kernel. */
template <class Launch> void cell(const char *name, Launch launch)
{
    if (!is_asked(name))
        return;
    static cudaEvent_t begin, end;
    if (!begin) {
        MUST(cudaEventCreate(&begin));
        MUST(cudaEventCreate(&end));
    }
    std::vector<float> us;
    for (int i = 0; i < WARM_UP + samples; i++) {
        float ms = 0;
        MUST(cudaEventRecord(begin));
        launch();
        MUST(cudaEventRecord(end));
        MUST(cudaGetLastError());
        MUST(cudaEventSynchronize(end));
        MUST(cudaEventElapsedTime(&ms, begin, end));
        if (i >= WARM_UP)
            us.push_back(1e3f * ms);
    }
    print_cell(name, us);
}

/** The same with a name that has a number in it. */
template <class Launch> void cell(const char *name, long number, Launch launch)
{
    char text[96];
    snprintf(text, sizeof text, "%s/%ld", name, number);
    cell(text, launch);
}

/** Device memory that is given back at the end of its scope, all of it written. */
template <class T> struct device_array {
    T *p = nullptr;
    size_t count;
    explicit device_array(size_t n) : count(n)
    {
        MUST(cudaMalloc(&p, n * sizeof(T)));
        MUST(cudaMemset(p, 0, n * sizeof(T)));
    }
    device_array(const device_array &) = delete;
    ~device_array()
    {
        cudaFree(p);
    }
    operator T *() const
    {
        return p;
    }
};

inline unsigned blocks_for(size_t threads, unsigned block)
{
    return (unsigned)((threads + block - 1) / block);
}

void cells_of_patterns();
void cells_of_caches();
void cells_of_matrices();
void cells_of_atomics();
void cells_of_arithmetic();
void cells_of_host_memory();
void cells_of_mixtures();
void cells_of_warps();

#endif
