/* SPDX-License-Identifier: 0BSD */
/* How a file's records are printed. */
#ifndef GMON_TOOL_SHOW_H
#define GMON_TOOL_SHOW_H

#include "gmon/tool/reader.h"

struct shower {
	void (*begin)(const struct source *source, const struct format *format);
	struct visitor visitor;
	void (*end)(void);
};

extern const struct shower show_text, show_json;

#endif
