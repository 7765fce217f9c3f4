// umcc: 4:22: ‘const struct umsim::threadIdx_is_for_device_code’ has no member named ‘x’
int main()
{
    return threadIdx.x;
}
