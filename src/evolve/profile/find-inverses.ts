// Finds lists that mirror a pointer: each document lists exactly those that point at it. And numbers that count the documents which point at
// their own. Both need other documents, so a few are compared.

import type { Body } from '../../model/json/json.ts'
import { compareText } from '../../model/keys/compare-scalars.ts'
import { scalarsAt } from '../../store/conditions.ts'
import { TooManyRequestsError, type ExistingDatabase } from '../../store/existing/existing-database.ts'
import type { FoundPointer } from './find-pointers.ts'
import type { TypeProfile } from './type-profile.ts'

/** A list and the pointer that it mirrors. */
export interface FoundInverse {
  readonly list: FoundPointer
  readonly pointer: FoundPointer
  readonly compared: number
  readonly mirrored: number
}

/** A property that counts the documents which point at its own. */
export interface FoundCount {
  readonly holder: TypeProfile
  readonly property: string
  readonly pointer: FoundPointer
  readonly compared: number
}

const comparedDocuments = 30
const maxLookedUp = 400
const enoughMirrored = 0.99

export async function findInverses(database: ExistingDatabase, pointers: readonly FoundPointer[]): Promise<FoundInverse[]> {
  // Of two lists that mirror each other, the maintained one is ordered, or longer.
  const lists = pointers.filter(({ path }) => path.length === 2 && path[1] === '*').toSorted((one, other) => Number(isOrdered(other)) - Number(isOrdered(one)) || longestOf(other) - longestOf(one))
  const found: FoundInverse[] = []
  for (const list of lists) {
    const facing = pointers.filter((pointer) => pointer !== list && pointer.holder === list.target && pointer.target === list.holder && isTopLevel(pointer) && !found.some((each) => each.pointer === list))
    for (const pointer of facing) {
      const [there, back] = [await mirrored(database, list, pointer), await mirrored(database, pointer, list)]
      const [compared, equal] = [there.compared + back.compared, there.equal + back.equal]
      if (there.compared === 0 || back.compared === 0 || equal < enoughMirrored * compared) continue
      found.push({ list, pointer, compared, mirrored: equal })
      break
    }
  }
  return found
}

export async function findCounts(database: ExistingDatabase, pointers: readonly FoundPointer[]): Promise<FoundCount[]> {
  const found: FoundCount[] = []
  for (const pointer of pointers.filter(isTopLevel)) {
    const { target } = pointer
    const examples = target.examples(comparedDocuments)
    const numbers = [...target.properties.properties].filter(([name, value]) => value.integers > 0 && value.integers === value.values && value.min >= 0 && /count|number|total|num|size/i.test(name)).map(([name]) => name)
    if (numbers.length === 0) continue
    const ids = examples.map(({ id }) => (pointer.isNumeric ? Number(id) : (id as string)))
    const counts = await orNothing(database.countEach({ container: pointer.holder.container.name, type: pointer.holder.type }, pointer.path, ids))
    const property = numbers.find((name) => counts.length > 0 && examples.every((example, at) => (example[name] ?? 0) === counts[at]))
    if (property !== undefined && counts.some((count) => count > 0)) found.push({ holder: target, property, pointer, compared: examples.length })
  }
  return found
}

function isOrdered(list: FoundPointer): boolean {
  return list.holder.examples(comparedDocuments).every((document) => {
    const ids = idsAt(list, document)
    return ids.every((id, at) => at === 0 || compareText(ids[at - 1]!, id) <= 0)
  })
}

function longestOf({ holder, path: [property] }: FoundPointer): number {
  return holder.properties.properties.get(property!)!.lengths.max
}

/** Whether the documents that one points at point back. */
async function mirrored(database: ExistingDatabase, from: FoundPointer, back: FoundPointer): Promise<{ compared: number; equal: number }> {
  const pairs = from.holder.examples(comparedDocuments).flatMap((document) => idsAt(from, document).map((id) => ({ id, by: document['id'] as string }))).slice(0, maxLookedUp)
  const targets = new Map((await orNothing(database.find(from.target.container.name, [...new Set(pairs.map(({ id }) => id))]))).map((body) => [String(body['id']), body]))
  const known = pairs.filter(({ id }) => targets.has(id))
  return { compared: known.length, equal: known.filter(({ id, by }) => idsAt(back, targets.get(id)!).includes(by)).length }
}

function idsAt({ path }: FoundPointer, document: Body): string[] {
  return scalarsAt(path, document).filter((id) => id !== null).map(String)
}

/** In the document itself: an id, a list of ids, or objects with ids. */
export function isTopLevel({ path }: FoundPointer): boolean {
  return path.length === 1 || (path.length === 2 && (path[1] === '*' || path[1] === 'id')) || (path.length === 3 && path[1] === '*' && path[2] === 'id')
}

async function orNothing<T>(asked: Promise<readonly T[]>): Promise<readonly T[]> {
  return asked.catch((error: unknown) => {
    if (error instanceof TooManyRequestsError) return []
    throw error
  })
}
