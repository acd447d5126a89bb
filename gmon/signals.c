/* SPDX-License-Identifier: 0BSD */
/* Signals by name. */
#include "gmon/signals.h"

#include <signal.h>
#include <string.h>

static const struct {
	const char *name;
	int signal;
} names[] = {
	{"HUP", SIGHUP},   {"INT", SIGINT},	{"QUIT", SIGQUIT},
	{"ILL", SIGILL},   {"TRAP", SIGTRAP},	{"ABRT", SIGABRT},
	{"BUS", SIGBUS},   {"FPE", SIGFPE},	{"USR1", SIGUSR1},
	{"SEGV", SIGSEGV}, {"USR2", SIGUSR2},	{"PIPE", SIGPIPE},
	{"ALRM", SIGALRM}, {"TERM", SIGTERM},	{"CHLD", SIGCHLD},
	{"CONT", SIGCONT}, {"TSTP", SIGTSTP},	{"TTIN", SIGTTIN},
	{"TTOU", SIGTTOU}, {"URG", SIGURG},	{"XCPU", SIGXCPU},
	{"XFSZ", SIGXFSZ}, {"VTALRM", SIGVTALRM}, {"PROF", SIGPROF},
	{"WINCH", SIGWINCH}, {"IO", SIGIO},	{"POLL", SIGIO},
	{"PWR", SIGPWR},   {"SYS", SIGSYS},
};

/* All of the text as a decimal number, or -1. */
static int number_of(const char *text, size_t size)
{
	int number = 0;

	if (!size || size > 3)
		return -1;
	for (size_t i = 0; i < size; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		number = number * 10 + (text[i] - '0');
	}
	return number;
}

/* Strip a word from the front; false if the text does not begin with it. */
static bool skip(const char **text, size_t *size, const char *word)
{
	size_t length = strlen(word);

	if (*size < length || memcmp(*text, word, length) != 0)
		return false;
	*text += length;
	*size -= length;
	return true;
}

/* "+3" or "-2" or nothing; out of reach if it is anything else. */
static int offset_of(const char *text, size_t size, char sign)
{
	int number;

	if (!size)
		return 0;
	number = *text == sign ? number_of(text + 1, size - 1) : -1;
	return number < 0 ? 1000 : number;
}

static int named(const char *text, size_t size)
{
	skip(&text, &size, "SIG");
	if (skip(&text, &size, "RTMIN"))
		return SIGRTMIN + offset_of(text, size, '+');
	if (skip(&text, &size, "RTMAX")) {
		int number = SIGRTMAX - offset_of(text, size, '-');

		return number >= SIGRTMIN ? number : -1;
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i].name) == size &&
		    memcmp(names[i].name, text, size) == 0)
			return names[i].signal;
	return -1;
}

bool signals_parse(const char *text, size_t size, int *signal)
{
	int number = number_of(text, size);

	if (number < 0)
		number = named(text, size);
	*signal = number;
	return number >= 1 && number <= SIGRTMAX && number != SIGKILL &&
	       number != SIGSTOP && (number < 32 || number >= SIGRTMIN);
}
