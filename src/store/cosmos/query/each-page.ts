// One page for each of several values, when the database can only be asked for all of them together.
//
// It is asked for twice as many documents of any of the values as the pages hold. Lists of similar
// length are then complete; so are short lists, however they differ. If there was more, a value whose
// list is rare among long ones may lack some: those are asked for one by one, from where the first
// question ended. So it is one wave as a rule and two at most, and what is read is bounded by what was
// asked for, however long the lists are.

import { scalarAt, scalarsAt } from '../../conditions.ts'
import type { Path, Query, Scalar, Selection } from '../../query.ts'
import type { StoredDocument } from '../../store.ts'

type Ask = (query: Query) => Promise<StoredDocument[]>

/** The more is asked for together, the longer the answer; beyond this it is asked for side by side. */
const mostTogether = 100
/** A page costs more than so many documents on it, so asking for fewer saves nothing. */
const leastTogether = 50

export async function eachPage(query: Query, by: Path, values: readonly Scalar[], ask: Ask): Promise<StoredDocument[][]> {
  const pages = new Map<Scalar, StoredDocument[]>(values.map((value) => [value, []]))
  await Promise.all(chunksOf([...pages.keys()], mostTogether).map((chunk) => fill(query, by, chunk, pages, ask)))
  return values.map((value) => pages.get(value)!.slice(0, query.limit))
}

async function fill(query: Query, by: Path, values: readonly Scalar[], pages: ReadonlyMap<Scalar, StoredDocument[]>, ask: Ask): Promise<void> {
  const limit = Math.max(leastTogether, 2 * values.length * query.limit)
  const found = await ask(asking(query, by, values, limit, query.after))
  deal(found, by, values, pages)
  if (found.length < limit) return
  const last = found.at(-1)!
  const behind = { value: scalarAt(query.orderBy.path, last.body), id: last.key.id }
  await Promise.all(values.map(async (value) => {
    const page = pages.get(value)!
    if (page.length < query.limit) page.push(...(await ask(asking(query, by, [value], query.limit - page.length, behind))))
  }))
}

function asking(query: Query, by: Path, values: readonly Scalar[], limit: number, after: Query['after']): Query {
  return { ...narrowed(query, by, values), limit, ...(after ? { after } : {}) }
}

/** Of documents with these values only. */
export function narrowed<S extends Selection>(selection: S, path: Path, values: readonly Scalar[]): S {
  const whose = { op: 'in', path, values } as const
  return { ...selection, where: selection.where ? { op: 'and', conditions: [whose, selection.where] } : whose }
}

/** A document can be on several pages: lists of ids point at many. */
function deal(found: readonly StoredDocument[], by: Path, values: readonly Scalar[], pages: ReadonlyMap<Scalar, StoredDocument[]>): void {
  const wanted = new Set(values)
  for (const document of found) {
    for (const value of new Set(scalarsAt(by, document.body))) if (wanted.has(value)) pages.get(value)!.push(document)
  }
}

function chunksOf<Element>(elements: readonly Element[], size: number): Element[][] {
  return Array.from({ length: Math.ceil(elements.length / size) }, (_, chunk) => elements.slice(chunk * size, (chunk + 1) * size))
}
