// The documents whose values clients set and read, and the value that all of them begin with.

export const authors = ['a1', 'a2', 'a3']
export const books = ['b1', 'b2']
export const first = 'first'

/** What has one value at a time. The name of an author stands for its motto as well. */
export const registers = [...authors, ...authors.map((id) => `${id}.note`), ...books.map((id) => `${id}.title`)]
