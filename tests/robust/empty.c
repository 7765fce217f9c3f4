/**
 * @file empty.c
 * @brief Does nothing: shows whether what it is compiled with starts here (surroundings.py).
 */
int main(void)
{
    return 0;
}
