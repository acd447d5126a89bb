/* SPDX-License-Identifier: 0BSD */
/* A library: run() makes 52 calls in it, its own included. */
#define OPAQUE __attribute__((noinline))

volatile int plugin_sink;

OPAQUE void in_plugin(void)
{
	plugin_sink = plugin_sink + 1;
}

OPAQUE void in_plugin_twice(void)
{
	in_plugin();
	in_plugin();
}

void run(void)
{
	for (int i = 0; i < 17; i++)
		in_plugin_twice();
}
