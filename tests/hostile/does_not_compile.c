/* hostile: is no C */
#include "exercise.h"

this is not C
