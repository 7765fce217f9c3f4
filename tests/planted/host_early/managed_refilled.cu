// kind: host beside a kernel
// at: @refilled
// The host fills the next frame in while the kernel still reads this one.
struct Frame {
    int width, height;
    unsigned char pixel[32][32];
};

__global__ void darken(const Frame *frame, unsigned char *out)
{
    out[threadIdx.y * 32 + threadIdx.x] = frame->pixel[threadIdx.y][threadIdx.x] / 2;
}

int main(int argc, char **)
{
    Frame *frame;
    unsigned char *out;
    cudaMallocManaged(&frame, sizeof *frame);
    cudaMalloc(&out, 3 * 1024);
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < 1024; i++)
            frame->pixel[i / 32][i % 32] = i + turn; // @refilled
        darken<<<1, dim3(32, 32)>>>(frame, out + turn * 1024);
        if (argc == 1)
            cudaDeviceSynchronize();
    }
    cudaDeviceSynchronize();
    cudaFree(frame);
    cudaFree(out);
    return 0;
}
