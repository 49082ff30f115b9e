// Finds the properties whose values are ids of other documents. A sample of the values of each candidate is looked up; how many are found
// is the evidence. Names only decide between several targets, and whether numbers are ids at all.

import type { Body } from '../../model/json/json.ts'
import { TooManyRequestsError, type ExistingDatabase } from '../../store/existing/existing-database.ts'
import type { Path } from '../../store/query.ts'
import { copiesOf, type CopiedProperties } from './copied-properties.ts'
import { nameMatch } from './name-match.ts'
import { pathsIn } from './property-paths.ts'
import { digits, idFormOf, isTelling } from './text-formats.ts'
import type { TypeProfile } from './type-profile.ts'
import type { ValueProfile } from './value-profile.ts'

export interface FoundPointer {
  readonly holder: TypeProfile
  /** To the id itself: `['makerId']`, `['tags', '*', 'id']`. */
  readonly path: Path
  readonly target: TypeProfile
  /** How many distinct values were looked up, and how many of them are ids. */
  readonly lookedUp: number
  readonly found: number
  /** Whether the ids are stored as numbers. */
  readonly isNumeric: boolean
  /** Where the id is in an object: which of its other properties are copies. */
  readonly copies?: CopiedProperties
}

/** How many values of each candidate are looked up. */
const lookedUpValues = 100
const probedValues = 10
/** The part of the values that must be ids, if the name fits too, and if only the values say so. */
const enough = { named: 0.8, unnamed: 0.95 }

export async function findPointers(database: ExistingDatabase, types: readonly TypeProfile[]): Promise<FoundPointer[]> {
  const candidates = types.flatMap(candidatesIn)
  const best = new Map<Candidate, FoundPointer & { readonly score: number }>()
  for (const [, targets] of Map.groupBy(types, ({ container }) => container)) {
    const asked = candidates.filter((candidate) => targets.some((target) => isPossible(candidate, target)))
    const { name } = targets[0]!.container
    // A few values of each tell which ones are worth more requests.
    const probed = await lookUp(database, name, asked.flatMap(({ ids }) => ids.slice(0, probedValues)))
    const likely = asked.filter(({ ids }) => ids.slice(0, probedValues).filter((id) => probed.has(id)).length >= Math.min(ids.length, probedValues) / 2)
    const byId = new Map([...probed, ...(await lookUp(database, name, likely.flatMap(({ ids }) => ids.slice(probedValues))))])
    for (const target of targets) {
      for (const candidate of likely.filter((each) => isPossible(each, target))) {
        const pointer = pointerTo(candidate, target, byId)
        if (pointer && pointer.score > (best.get(candidate)?.score ?? 0)) best.set(candidate, pointer)
      }
    }
  }
  return [...best.values()].map(({ score: _, ...pointer }) => pointer)
}

interface Candidate {
  readonly holder: TypeProfile
  readonly path: Path
  readonly value: ValueProfile
  readonly ids: readonly string[]
  readonly forms: ReadonlySet<string>
  /** Objects that have the id, where it is one of their properties. */
  readonly objects: readonly Body[]
}

function candidatesIn(holder: TypeProfile): Candidate[] {
  const objectsAt = new Map<string, readonly Body[]>()
  return [...pathsIn(holder.properties)].flatMap(({ path, value }) => {
    if (value.object) objectsAt.set(JSON.stringify([...path, 'id']), value.object.identified(lookedUpValues))
    if (path.length === 1 && (path[0] === 'id' || path[0] === 'type')) return []
    const isText = value.texts > 0 && value.texts === value.values && value.forms.other > 0.9 * value.texts
    const isNumber = value.integers > 0 && value.integers === value.values
    if ((!isText && !isNumber) || value.longestText > 255) return []
    const sample = value.distinct.sample(lookedUpValues) as (string | number)[]
    return [{ holder, path, value, ids: sample.map(String), forms: new Set(sample.map(idFormOf)), objects: objectsAt.get(JSON.stringify(path)) ?? [] }]
  })
}

/** Asking costs a request, so that only values that look like ids of the type are asked for. Numbers need a name that says so. */
function isPossible({ holder, path, value, forms }: Candidate, target: TypeProfile): boolean {
  // Nothing can point at documents that were only numbered here.
  if (target.documents === target.withoutId || target.container.idFrom === '') return false
  const ownId = path.length === 1 && target === holder && (holder.ownIds.get(path[0]!) ?? 0) === value.values
  const alike = [...forms].filter((form) => target.hasIdsLike(form)).length
  const named = nameMatch(path, target)
  return !ownId && alike > forms.size / 2 && (!forms.has(digits) || named > 0) && (named > 0 || value.distinct.size >= 3)
}

async function lookUp(database: ExistingDatabase, container: string, ids: readonly string[]): Promise<Map<string, Body>> {
  const distinct = [...new Set(ids)]
  const found = distinct.length === 0 ? [] : await database.find(container, distinct).catch((error: unknown) => {
    if (error instanceof TooManyRequestsError) return []
    throw error
  })
  return new Map(found.map((body) => [String(body['id']), body]))
}

function pointerTo({ holder, path, value, ids, forms, objects }: Candidate, target: TypeProfile, byId: ReadonlyMap<string, Body>): (FoundPointer & { score: number }) | undefined {
  const isTarget = (id: string): boolean => byId.has(id) && (target.type === undefined || byId.get(id)!['type'] === target.type)
  const found = ids.filter(isTarget).length
  const named = nameMatch(path, target)
  const telling = [...forms].every(isTelling)
  if (found === 0 || found < (named > 0 || telling ? enough.named : enough.unnamed) * ids.length) return undefined
  const copied = objects.filter((object) => isTarget(String(object['id'])))
  return {
    holder, path, target, lookedUp: ids.length, found,
    isNumeric: value.integers > 0,
    score: named + found / ids.length,
    ...(copied.length > 0 ? { copies: copiesOf(copied.map((object) => ({ copy: object, original: byId.get(String(object['id']))! }))) } : {}),
  }
}
