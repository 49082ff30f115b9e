// The reviews of a book. sample/books.ts decides how many there are.

import type { Body } from '../../../src/index.ts'
import { readerName, reviewText } from './names.ts'
import type { Random } from './random.ts'

/** Oldest first. */
export function reviewsOf(random: Random, bookId: string, count: number): Body[] {
  return Array.from({ length: count }, (_, number) => {
    // The higher of two draws: most books are liked, and a few reviews are still devastating.
    const rating = Math.max(random.between(0, 10), random.between(0, 10))
    return { id: `${bookId}-r${number}`, rating, text: reviewText(random, rating), reviewer: readerName(random) }
  })
}
