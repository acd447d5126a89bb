/* SPDX-License-Identifier: 0BSD */
/* Strings as JSON has them. */
#ifndef GMON_TOOL_JSON_H
#define GMON_TOOL_JSON_H

#include <stdio.h>

/*
 * Print a string in quotes.  Bytes that are not UTF-8 become U+FFFD.
 */
void json_string(const char *text, FILE *file);

#endif
