#!/usr/bin/env python3
"""Makes joe_kuo.bin, from which sobol.c computes cuRAND's direction vectors.

    python3 sim/curand/joe_kuo.py _sobol_direction_numbers.npz >sim/curand/joe_kuo.bin

The file that it reads is SciPy's (scipy/stats/), S. Joe and F. Y. Kuo's new-joe-kuo-6.21201: a primitive polynomial of
each dimension, and as many initial numbers as its degree. What it writes is a row of bits, the least significant of a
byte first. Each of 20,000 dimensions but the first, which has none, is: the degree s (5 bits); the polynomial's
coefficients between the first and the last, x first (s - 1 bits); and the numbers m[1] ... m[s], each odd and below
2^k, without their last bit (k - 1 bits).
"""
import sys

import numpy

DIMENSIONS = 20000


def main():
    data = numpy.load(sys.argv[1])
    row = []
    for polynomial, numbers in zip(data["poly"][1:DIMENSIONS], data["vinit"][1:DIMENSIONS], strict=True):
        degree = int(polynomial).bit_length() - 1
        fields = [(degree, 5), (int(polynomial) >> 1 & (1 << (degree - 1)) - 1, degree - 1)]
        fields += [(int(number) >> 1, k) for k, number in enumerate(numbers[:degree])]
        for value, width in fields:
            row += [value >> i & 1 for i in range(width)]
    sys.stdout.buffer.write(numpy.packbits(row, bitorder="little").tobytes())


if __name__ == "__main__":
    main()
