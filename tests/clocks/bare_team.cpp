/**
 * @file bare_team.cpp
 * @brief A team whose code calls two functions of libgomp's only, both of which the simulator has, too:
 * linkers that leave out what is not needed leave out libgomp (-Wl,--as-needed). run.py compares the number.
 */
#include <atomic>
#include <cstdio>

int main()
{
    std::atomic<int> came{0}, missed{0};
#pragma omp parallel num_threads(4)
    {
        came++;
#pragma omp barrier
        missed += came != 4;
    }
    printf("%d %d\n", came.load(), missed.load());
    return 0;
}
