/* SPDX-License-Identifier: 0BSD */
/*
 * Exceptions through profiled functions, with objects to destroy on the way,
 * before main, in it, and in another thread; objects of threads.
 *
 * calls main 1
 * calls throwing 36         arc middle throwing 36
 * calls middle 36           arc catching middle 36
 * calls catching 36         arc before_main catching 1
 *                           arc main catching 30
 *                           arc body catching 5
 * calls destroyed 36
 * calls caught 36           arc catching caught 36
 * calls before_main 1
 * calls body 1
 * calls local_static 2
 * calls at_end 1
 * calls per_thread 2        arc body per_thread 1    arc main per_thread 1
 * calls at_thread_end 2
 */
#include <pthread.h>
#include <stdexcept>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))

volatile int sink;

extern "C" {

OPAQUE void destroyed(void)
{
	sink = sink + 1;
}

OPAQUE void caught(void)
{
	sink = sink + 1;
}

OPAQUE void at_end(void)
{
	sink = sink + 1;
}

struct guard {
	PLAIN ~guard()
	{
		destroyed();
	}
};

OPAQUE void throwing(int n)
{
	if (n % 2)
		throw std::runtime_error("odd");
	throw n;
}

OPAQUE void middle(int n)
{
	guard g;

	throwing(n);
	sink = sink + 1;
}

OPAQUE void catching(int n)
{
	try {
		middle(n);
	} catch (std::exception &error) {
		caught();
	} catch (int number) {
		if (number == n)
			caught();
	}
	sink = sink + 1;
}

OPAQUE void at_thread_end(void)
{
	sink = sink + 1;
}

OPAQUE void per_thread(void)
{
	struct value {
		PLAIN ~value()
		{
			at_thread_end();
		}
	};
	static thread_local value mine;

	sink = sink + 1;
}

OPAQUE void *body(void *argument)
{
	per_thread();
	for (int i = 0; i < 5; i++)
		catching(i);
	return argument;
}

OPAQUE void local_static(void)
{
	struct value {
		PLAIN ~value()
		{
			at_end();
		}
	};
	static value once;

	sink = sink + 1;
}

__attribute__((constructor)) void before_main(void)
{
	catching(1);
	sink = sink + 1; /* no tail call */
}
}

int main()
{
	pthread_t thread;

	for (int i = 0; i < 30; i++)
		catching(i);
	local_static();
	local_static();
	per_thread();
	return pthread_create(&thread, nullptr, body, nullptr) ||
	       pthread_join(thread, nullptr);
}
