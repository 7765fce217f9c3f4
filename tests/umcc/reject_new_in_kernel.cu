// umcc: 4:10: new in device code is not provided yet
__global__ void k(int **p)
{
    *p = new int[4];
}
