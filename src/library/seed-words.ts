// How `quire seed` is asked for and explained. It is about the shipped schema, so its words are here;
// what it does is in seed.ts.

/** With authors, publishers and buckets a little more than a million documents. */
export const mostBooks = 500_000

export const seedWords = {
  name: 'books',
  option: '--books <number>',
  explained: `how many books, up to ${mostBooks}; authors, publishers and reviews come in proportion`,
  help: `
The same number gives the same documents on every machine and every day, with ids such as 1000-b1 that
no other number and no sample has. What is there already is left as it is, so it can be stopped at any
time and begun again. It knows the shipped schema only: "quire import" fills any other.

Exits with 0 when all is there, with 2 when it cannot run.

Example:
  $ QUIRE_STORE=sqlite:large.db quire seed --books 100000`,
}

/** The number, or what is wrong with it. */
export function readSeedSize(text: string): number | string {
  const books = /^\d+$/.test(text) ? Number(text) : 0
  return books >= 1 && books <= mostBooks ? books : `--books is "${text}". Give a number from 1 to ${mostBooks}.`
}
