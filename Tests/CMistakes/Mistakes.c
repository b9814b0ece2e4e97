#include "CMistakes.h"

int add_in_source(int number) { return INT_MAX + number; }
