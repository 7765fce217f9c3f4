// umcc: 5:12: <<< must follow the name of a kernel
int main()
{
    // clang-format off
    return <<<1, 1>>>(0);
    // clang-format on
}
