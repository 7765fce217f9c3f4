/* hostile: is no C; build-error */
#include "exercise.h"

this is not C
