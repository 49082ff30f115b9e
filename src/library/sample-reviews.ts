// The reviews of the sample's books, and their division between the book, which has the newest, and
// bucket documents, which have the rest. How many a book has is for sample-books.ts to say.

import { bucketKey, bucketOf } from '../model/keys/bucket.ts'
import { isStored, type Field, type Model, type StorageOf } from '../model/model.ts'
import { entriesAt } from '../relations/bucketed.ts'
import type { Write } from '../store/store.ts'
import { readerName, reviewText } from './sample-names.ts'
import { sampleType } from './sample-put.ts'
import type { Random } from './sample-random.ts'

export interface Reviewed {
  /** What the book itself carries, newest first. */
  readonly recent: readonly Review[]
  /** The bucket documents with everything older. */
  readonly buckets: readonly Write[]
}

type Review = {
  readonly id: string
  /** Counted from 0, the oldest, without gaps: the bucket follows from it. */
  readonly number: number
  readonly rating: number
  readonly text: string
  readonly reviewer: string
}

export function reviewed(model: Model, random: Random, bookId: string, count: number): Reviewed {
  const { recent } = reviewsField(model).storage
  const oldestFirst = Array.from({ length: count }, (_, number) => review(random, bookId, number))
  const inBook = Math.min(recent, count)
  return {
    recent: oldestFirst.slice(count - inBook).toReversed(),
    buckets: bucketsOf(model, bookId, oldestFirst.slice(0, count - inBook)),
  }
}

function bucketsOf(model: Model, bookId: string, oldestFirst: readonly Review[]): Write[] {
  const field = reviewsField(model)
  const { size, key: keyAt, type } = field.storage
  const buckets = Map.groupBy(oldestFirst, ({ number }) => bucketOf(number, size))
  return [...buckets].map(([bucket, entries]) => {
    const key = bucketKey(bookId, field.name, bucket)
    const body = { id: key.id, [keyAt]: bookId, type, [entriesAt]: entries }
    return { kind: 'put', container: sampleType(model, 'Book').container, key, body }
  })
}

function review(random: Random, bookId: string, number: number): Review {
  // The better of two draws: most books find friends, and a few reviews are still devastating.
  const rating = Math.max(random.between(0, 10), random.between(0, 10))
  return { id: `${bookId}-r${number}`, number, rating, text: reviewText(random, rating), reviewer: readerName(random) }
}

function reviewsField(model: Model): Field<StorageOf<'bucketed'>> {
  const field = sampleType(model, 'Book').fields.get('reviews')
  if (!isStored(field, 'bucketed')) throw new Error('The sample library keeps Book.reviews in buckets. Seed it into a schema that declares it @bucketed.')
  return field
}
