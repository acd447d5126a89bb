/* SPDX-License-Identifier: 0BSD */
/*
 * One process of an MPI job: with -DPARTS the library libparts.so, else the
 * program.  Exact counts of a job of 8, whose rank r has 100 (r + 1) parts:
 *
 *      calls main 8
 *      calls share 8
 *      calls part 3600        arc share part 3600
 *      calls weigh 7200       arc part weigh 7200, back in the program
 *      calls combine 7        by the MPI library
 */
double share(int parts, double (*weigh)(double));

#ifdef PARTS
static double part(double at, double (*weigh)(double))
{
	return (weigh(at) + weigh(at + 1)) / 2;
}

double share(int parts, double (*weigh)(double))
{
	double sum = 0;

	for (int i = 0; i < parts; i++)
		sum += part(i, weigh);
	return sum;
}
#else
#include <mpi.h>
#include <stdio.h>

static double weigh(double x)
{
	return 2 * x;
}

static void combine(void *in, void *sum, int *count, MPI_Datatype *type)
{
	for (int i = 0; i < *count; i++)
		((double *)sum)[i] += ((double *)in)[i];
	(void)type;
}

int main(int argc, char **argv)
{
	double mine, all = 0;
	MPI_Op add;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Op_create(combine, 1, &add);
	mine = share(100 * (rank + 1), weigh);
	MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, add, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.0f\n", all);
	MPI_Finalize();
	return 0;
}
#endif
