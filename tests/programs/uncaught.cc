// SPDX-License-Identifier: 0BSD
/*
 * 1000 calls of work(), then a C++ program ends by what nobody catches.
 */
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>

static volatile int sink;

extern "C" __attribute__((noinline)) void work(void)
{
	sink = sink + 1;
}

static void thrower()
{
	throw std::runtime_error("nobody catches this");
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	for (int i = 0; i < 1000; i++)
		work();
	if (std::strcmp(way, "exception") == 0)
		thrower();
	if (std::strcmp(way, "exception-in-thread") == 0)
		std::thread(thrower).join();
	if (std::strcmp(way, "terminate") == 0)
		std::terminate();
	return 99;
}
