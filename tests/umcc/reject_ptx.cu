// umcc: 5:5: inline PTX that is not provided: vadd.s32.s32.s32 %0, %1, %2
__global__ void k(int *p)
{
    int sum;
    asm volatile("vadd.s32.s32.s32 %0, %1, %2;" : "=r"(sum) : "r"(p[0]), "r"(p[1]));
    p[2] = sum;
}
