/* SPDX-License-Identifier: 0BSD */
/*
 * Something real to profile: reads all text below the directories it is given,
 * counts the words, sorts them by how often they came, and searches the text
 * for the most frequent long ones.  It does so again and again until two
 * seconds of CPU time are used, so that the profile has samples enough.
 */
#define _GNU_SOURCE
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	TEXT_MAX = 8 << 20,
	TABLE_SIZE = 1 << 17,
	WORD_MAX = TABLE_SIZE / 2,
	SHOWN = 10,
	SEARCHED = 10,
	LONG = 8
};

struct word {
	const char *start;
	size_t length;
	unsigned long count;
};

static char text[TEXT_MAX];
static size_t text_size, file_count;
static struct word table[TABLE_SIZE];
static struct word *words[WORD_MAX], *spare[WORD_MAX];
static size_t word_count;

static int is_text(const char *start, size_t size)
{
	return memchr(start, 0, size) == NULL;
}

static void read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t size;

	if (!file)
		return;
	size = fread(text + text_size, 1, TEXT_MAX - text_size, file);
	if (is_text(text + text_size, size)) {
		text_size += size;
		file_count++;
	}
	fclose(file);
}

/* The C library calls this one for every file: a call from outside. */
static int visit(const char *path, const struct stat *status, int type,
		 struct FTW *place)
{
	(void)status;
	(void)place;
	if (type == FTW_F)
		read_file(path);
	return text_size == TEXT_MAX;
}

static int is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static unsigned hash(const char *start, size_t length)
{
	unsigned sum = 5381;

	while (length--)
		sum = sum * 33 + (unsigned char)*start++;
	return sum ^ sum >> 15;
}

/* Backwards, since words differ in their ends sooner than in their stems. */
static int is_same(const char *a, const char *b, size_t length)
{
	while (length && a[length - 1] == b[length - 1])
		length--;
	return length == 0;
}

static int is_word(const struct word *word, const char *start, size_t length)
{
	return word->length == length && is_same(word->start, start, length);
}

/* The word's place in the table, or the empty one it would get. */
static struct word *find(const char *start, size_t length)
{
	unsigned place = hash(start, length) % TABLE_SIZE;

	while (table[place].length && !is_word(&table[place], start, length))
		place = (place + 1) % TABLE_SIZE;
	return &table[place];
}

static void count(const char *start, size_t length)
{
	struct word *word = find(start, length);

	if (!word->length) {
		if (word_count == WORD_MAX)
			return;
		word->start = start;
		word->length = length;
		words[word_count++] = word;
	}
	word->count++;
}

static void count_words(void)
{
	size_t start = 0, end;

	memset(table, 0, sizeof table);
	word_count = 0;
	while (start < text_size) {
		for (end = start; end < text_size && is_letter(text[end]);)
			end++;
		if (end > start)
			count(text + start, end - start);
		start = end + 1;
	}
}

static int comes_before(const struct word *a, const struct word *b)
{
	return a->count != b->count ? a->count > b->count : a->start < b->start;
}

static void merge(size_t low, size_t middle, size_t high)
{
	size_t a = low, b = middle;

	for (size_t to = low; to < high; to++)
		if (b == high ||
		    (a < middle && !comes_before(words[b], words[a])))
			spare[to] = words[a++];
		else
			spare[to] = words[b++];
	memcpy(words + low, spare + low, (high - low) * sizeof *words);
}

/* Calls itself: gprof shows its calls as first+recursive. */
static void sort(size_t low, size_t high)
{
	size_t middle = low + (high - low) / 2;

	if (high - low < 2)
		return;
	sort(low, middle);
	sort(middle, high);
	merge(low, middle, high);
}

/* How often a word stands in the text, also within others: Horspool. */
static size_t search(const struct word *word)
{
	size_t skip[256], last = word->length - 1, at = 0, found = 0;

	for (size_t i = 0; i < 256; i++)
		skip[i] = word->length;
	for (size_t i = 0; i < last; i++)
		skip[(unsigned char)word->start[i]] = last - i;
	while (at + word->length <= text_size) {
		found += is_same(word->start, text + at, word->length);
		at += skip[(unsigned char)text[at + last]];
	}
	return found;
}

static size_t search_all(void)
{
	size_t found = 0, searched = 0;

	for (size_t i = 0; searched < SEARCHED && i < word_count; i++)
		if (words[i]->length >= LONG) {
			found += search(words[i]);
			searched++;
		}
	return found;
}

static void print(size_t found)
{
	printf("%zu bytes in %zu files; %zu words, the %d most frequent long "
	       "ones found %zu times.\nThe most frequent of all:\n",
	       text_size, file_count, word_count, SEARCHED, found);
	for (size_t i = 0; i < SHOWN && i < word_count; i++)
		printf("%9lu %.*s\n", words[i]->count, (int)words[i]->length,
		       words[i]->start);
}

int main(int argc, char **argv)
{
	size_t found;

	for (int i = 1; i < argc; i++)
		nftw(argv[i], visit, 16, FTW_PHYS);
	do {
		count_words();
		sort(0, word_count);
		found = search_all();
	} while (clock() < 2 * CLOCKS_PER_SEC);
	print(found);
	return 0;
}
