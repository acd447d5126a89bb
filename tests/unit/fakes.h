/* SPDX-License-Identifier: 0BSD */
/* The sampler that samples nothing, as a unit sees and steers it. */
#ifndef GCRT_TESTS_UNIT_FAKES_H
#define GCRT_TESTS_UNIT_FAKES_H

#include "profil/sampler.h"

extern sampler_take *fake_taker; /* what profil() gave to sampler_turn */
extern bool fake_is_on;
extern uint32_t fake_rate;       /* what sampler_rate returns */
extern int fake_settles;         /* how often the rings were emptied */
extern int fake_leaves;          /* how often alternate stacks were left */

#endif
