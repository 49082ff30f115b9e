// Why the tests on real data are skipped, where they are.

import { join } from 'node:path'

export function skipReason(data: string, exists: (path: string) => boolean): string | undefined {
  const missing = ['book-crossing/books.csv', 'book-crossing/ratings.csv', 'sp500/companies.csv'].map((name) => join(data, name)).find((path) => !exists(path))
  return missing === undefined ? undefined : `there is no ${missing}`
}
