// umcc: 4:12: ‘threadIdx’ was not declared in this scope
int main()
{
    return threadIdx.x;
}
