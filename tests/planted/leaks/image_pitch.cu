// kind: leak
// at: @mask
// An image and its mask are pitched; the function that drops them knows of the image alone.
struct image {
    unsigned char *pixels, *mask;
    size_t pitch, mask_pitch;
};

static image load(int width, int height)
{
    image made;
    cudaMallocPitch((void **)&made.pixels, &made.pitch, width * 3, height);
    cudaMallocPitch((void **)&made.mask, &made.mask_pitch, width, height); // @mask
    cudaMemset2D(made.mask, made.mask_pitch, 1, width, height);
    return made;
}

static void drop(image &old, bool all)
{
    cudaFree(old.pixels);
    if (all)
        cudaFree(old.mask);
}

int main(int argc, char **)
{
    image picture = load(30, 20);
    drop(picture, argc == 1);
    return 0;
}
