// One page for each of several values, from a database that can only be queried for all of them together.
//
// The first query asks for twice as many documents as the pages hold, of any of the values. If the lists are short, or of
// similar length, all pages are then complete. If there are more documents, a value that is rare among others with long
// lists may lack some: all such values get a second query together, from where the first one ended, and what is rare even
// among those a third, each by itself. So it takes one wave as a rule and three at most, and the number of documents read
// depends on the pages, not on the length of the lists.

import { positionOf, scalarsAt } from '../../conditions.ts'
import type { Path, Query, Scalar, Selection } from '../../query.ts'
import type { StoredDocument } from '../../store.ts'

type RunQuery = (query: Query) => Promise<StoredDocument[]>

/** More values are split into several concurrent queries, since one query would take longer. */
const maxValuesPerQuery = 100
/** A query costs more than so many documents, so asking for fewer saves nothing. */
const minDocumentsPerQuery = 50
/** How often the values are asked for together before each is asked for by itself. */
const roundsTogether = 2

export async function eachPage(query: Query, by: Path, values: readonly Scalar[], runQuery: RunQuery): Promise<StoredDocument[][]> {
  const pages = new Map<Scalar, StoredDocument[]>(values.map((value) => [value, []]))
  await Promise.all(chunksOf([...pages.keys()], maxValuesPerQuery).map((chunk) => fillPages(query, by, chunk, pages, runQuery)))
  return values.map((value) => pages.get(value)!.slice(0, query.limit))
}

async function fillPages(query: Query, by: Path, all: readonly Scalar[], pages: ReadonlyMap<Scalar, StoredDocument[]>, runQuery: RunQuery): Promise<void> {
  let [values, after] = [all, query.after]
  for (let round = 0; round < roundsTogether; round++) {
    const limit = Math.max(minDocumentsPerQuery, 2 * values.length * query.limit)
    const found = await runQuery(queryFor(query, by, values, limit, after))
    distribute(found, by, values, pages)
    values = values.filter((value) => pages.get(value)!.length < query.limit)
    if (found.length < limit || values.length === 0) return
    after = positionOf(found.at(-1)!, query.orderBy)
    // No fewer requests together than one by one.
    if (values.length === 1) break
  }
  await Promise.all(values.map(async (value) => {
    const page = pages.get(value)!
    page.push(...(await runQuery(queryFor(query, by, [value], query.limit - page.length, after))))
  }))
}

function queryFor(query: Query, by: Path, values: readonly Scalar[], limit: number, after: Query['after']): Query {
  return { ...narrowed(query, by, values), limit, ...(after ? { after } : {}) }
}

/** Only documents with these values. */
export function narrowed<S extends Selection>(selection: S, path: Path, values: readonly Scalar[]): S {
  const oneOfThem = { op: 'in', path, values } as const
  return { ...selection, where: selection.where ? { op: 'and', conditions: [oneOfThem, selection.where] } : oneOfThem }
}

/** A document can be on several pages, since a list can hold several of the values. */
function distribute(found: readonly StoredDocument[], by: Path, values: readonly Scalar[], pages: ReadonlyMap<Scalar, StoredDocument[]>): void {
  const wanted = new Set(values)
  for (const document of found) {
    for (const value of new Set(scalarsAt(by, document.body))) if (wanted.has(value)) pages.get(value)!.push(document)
  }
}

function chunksOf<Element>(elements: readonly Element[], size: number): Element[][] {
  return Array.from({ length: Math.ceil(elements.length / size) }, (_, chunk) => elements.slice(chunk * size, (chunk + 1) * size))
}
