/* Checks for the programs beside this file: the first that fails is named, and ends the program. */
#ifndef CHECK_H
#define CHECK_H

#include "gjk.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s is false; the last error is \"%s\"\n", __FILE__, __LINE__,           \
                   #condition, gjk_last_error());                                                  \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* The status of a call, and a word of its text. */
#define CHECK_FAILS(call, status, word)                                                            \
    do {                                                                                           \
        CHECK((call) == (status));                                                                 \
        CHECK(strstr(gjk_last_error(), word) != NULL);                                             \
    } while (0)

/* Whether an interval contains the truth, and is narrow. */
static inline int is_about(double lower, double upper, double truth)
{
    return lower <= truth && truth <= upper && upper - lower <= 1e-9;
}

#endif
