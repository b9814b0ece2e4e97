#pragma once
#include <limits.h>

/// Adds to the largest number, which is undefined, in code that becomes part of the module that calls it.
static inline int add_in_header(int number) { return INT_MAX + number; }

/// The same in code of a module of C.
int add_in_source(int number);
