/* SPDX-License-Identifier: 0BSD */
/*
 * How far an arc is from its bucket: the stub looks at the bucket and the
 * ARCS_NEAR entries behind it, so every arc further away costs its calls the
 * slow path for ever.  And the proof that keys tell arcs apart.
 */
#include "mcount/arcs.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/chain.h"
#include "tests/unit/tools.h"

/* Arcs of the newest table that the stub does not find. */
static uint32_t far_count(const struct chain *chain)
{
	const struct arc_table *table = chain->newest;
	uint32_t entry_count = table->mask / 16 + 1 + ARCS_NEAR;
	uint32_t count = 0;

	for (uint32_t i = 0; i < entry_count; i++) {
		uint64_t key = table->entries[i].key;
		uint32_t bucket = (arcs_hash(key) & table->mask) / 16;

		if (key && (i < bucket || i > bucket + ARCS_NEAR))
			count++;
	}
	return count;
}

/* Take every arc often enough for all to be in the newest table. */
static void settle(struct chain *chain, void take_all(struct chain *chain))
{
	struct arc_table *before;

	chain_open(chain, 128);
	do {
		before = chain->newest;
		take_all(chain);
	} while (chain->newest != before);
}

static void one_site(struct chain *chain)
{
	for (uintptr_t i = 0; i < 1000; i++)
		chain_take(chain, 0x401234, 0x402000 + 16 * i);
}

static void two_sites(struct chain *chain)
{
	/* the second site's run begins in the middle of the first one's */
	uintptr_t shift = ((uintptr_t)1 << 40) + 0x402000 + 8000 +
			  arcs_key(0x401234, 0) - arcs_key(0x401235, 0);

	one_site(chain);
	for (uintptr_t i = 0; i < 1000; i++)
		chain_take(chain, 0x401235, shift + 16 * i);
}

static void many_callers(struct chain *chain)
{
	for (uintptr_t i = 0; i < 2000; i++)
		chain_take(chain, 0x401000 + 21 * i, 0x500010);
}

static void like_a_program(struct chain *chain)
{
	uint64_t seed = 7;

	for (uintptr_t i = 0; i < 3000; i++) {
		uintptr_t selfpc = 0x555555560000 +
				   16 * random_below(&seed, 1500) + 9;

		chain_take(chain,
			   0x555555560000 + random_below(&seed, 100000),
			   selfpc);
	}
}

static const struct {
	const char *name;
	void (*take_all)(struct chain *chain);
	uint32_t far_max;
} cases[] = {
	{"one site of 1000 callees", one_site, 0},
	{"two sites whose runs overlap", two_sites, 650},
	{"2000 callers of one function", many_callers, 20},
	{"a program", like_a_program, 30},
};

START_TEST(near_enough)
{
	struct chain chain;

	settle(&chain, cases[_i].take_all);
	ck_assert_msg(far_count(&chain) <= cases[_i].far_max,
		      "%s: %u arcs of %u are beyond the stub's reach",
		      cases[_i].name, far_count(&chain),
		      arcs_logged(chain.newest));
	chain_close(&chain);
}
END_TEST

/*
 * Arcs of equal key: (f - f') * K = s' - s.  The distances of d * K from 0,
 * modulo 2^64, are least at the denominators of the convergents of K / 2^64
 * (best approximations), so it is enough to look at those below 2^31.
 */
START_TEST(keys_are_injective_within_2_GiB)
{
	__extension__ typedef unsigned __int128 wide;
	wide numerator = (wide)1 << 64, denominator = ARCS_MULTIPLIER;
	uint64_t before = 0, q = 1; /* of the convergents' denominators */
	int seen = 0;

	if (sizeof(uintptr_t) < 8)
		return; /* both addresses are in the key */
	while (q < UINT64_C(1) << 31) {
		uint64_t digit = (uint64_t)(numerator / denominator);
		uint64_t next = digit * q + before;
		uint64_t product = q * ARCS_MULTIPLIER;
		wide rest = numerator % denominator;

		ck_assert_uint_ge(product < -product ? product : -product,
				  UINT64_C(6074001000)); /* 2^32.5 */
		numerator = denominator;
		denominator = rest;
		before = q;
		q = next;
		seen++;
	}
	ck_assert_int_gt(seen, 10);
}
END_TEST

Suite *unit_spread_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_spread", &tcase);

	tcase_add_loop_test(tcase, near_enough, 0,
			    sizeof cases / sizeof *cases);
	tcase_add_test(tcase, keys_are_injective_within_2_GiB);
	return suite;
}
