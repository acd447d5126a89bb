/* SPDX-License-Identifier: 0BSD */
/* What must stay as it is. */
#include "tests/gprof/unharmed.h"

#include <string.h>
#include <unistd.h>

void unharmed_check(const struct outcome *outcome, int lines)
{
	int said = text_count(outcome->err, "\n");
	int ours = text_count(outcome->err, "gcrt: ");

	ck_assert_msg(outcome_exit(outcome) == 3 &&
			      strcmp(outcome->out, "done\n") == 0,
		      "%.1000s: wait status %#x\n%.1000s%.1000s",
		      outcome->command, outcome->status, outcome->out,
		      outcome->err);
	ck_assert_msg(said == ours && (lines < 0 || said == lines),
		      "%.1000s: %d lines instead of %d\n%.2000s",
		      outcome->command, said, lines, outcome->err);
}

const char *unprivileged(void)
{
	return geteuid() == 0
		       ? "setpriv --reuid=65534 --regid=65534 --clear-groups "
		       : "";
}
