// kind: refused call
// at: @call
// Devices are counted from 0: the one with the number of devices does not exist.
int main(int argc, char **)
{
    int count = 0;
    cudaGetDeviceCount(&count);
    cudaSetDevice(argc > 1 ? count : count - 1); // @call
    return 0;
}
