// A profile as plain objects, one for each type and one for each of its properties: what `quire check --profile` prints.

import type { FoundPointer } from './find-pointers.ts'
import type { ListLengths } from './list-lengths.ts'
import { typesIn, type Profile } from './profile-database.ts'
import { pathsIn, pathText, type ProfiledPath } from './property-paths.ts'
import type { TypeProfile } from './type-profile.ts'
import type { ValueProfile } from './value-profile.ts'

interface Percentiles {
  readonly median: number
  readonly p95: number
  readonly max: number
}

export interface ProfileEntry {
  readonly container: string
  /** The value of `type`, where it tells documents apart. */
  readonly type?: string
  /** `tags[].name` is a property of the elements of a list; empty for the documents themselves. */
  readonly property: string
  /** How many objects could have it, how many do, and in how many it is null. */
  readonly holders: number
  readonly present: number
  readonly nulls: number
  /** How many values of each JSON type there are. */
  readonly types: Readonly<Record<string, number>>
  /** Of scalars. */
  readonly distinct?: number
  /** Whether that is an estimate, because there are many. */
  readonly isEstimate?: true
  /** Of numbers. */
  readonly min?: number
  readonly max?: number
  /** Of texts. */
  readonly longest?: number
  /** Of lists. */
  readonly lengths?: Percentiles
  /** Of documents as JSON. From 100 on, median and p95 have two digits. */
  readonly bytes?: Percentiles
  /** Of documents: the property that takes most of the largest one, and its part of it. */
  readonly largest?: { readonly property: string; readonly share: number }
  /** Where the values are ids: of which documents, and how many of those that were looked up. */
  readonly idsIn?: { readonly container: string; readonly type?: string; readonly lookedUp: number; readonly found: number }
  /** Where the id is in an object: how many copies of other properties are as in the source, and how many have drifted. */
  readonly copies?: Readonly<Record<string, { readonly equal: number; readonly drifted: number }>>
}

export function profileEntries({ containers, pointers }: Profile): ProfileEntry[] {
  return typesIn(containers).flatMap((type) => [documentEntry(type), ...[...pathsIn(type.properties)].map((at) => entryOf(type, at, pointers))])
}

function documentEntry({ container, type, documents, bytes, largest }: TypeProfile): ProfileEntry {
  return {
    container: container.name,
    ...(type === undefined ? {} : { type }),
    property: '', holders: documents, present: documents, nulls: 0, types: { object: documents },
    bytes: percentilesOf(bytes),
    ...(largest ? { largest: { property: largest.property, share: Math.round(largest.share * 1000) / 1000 } } : {}),
  }
}

function percentilesOf(lengths: ListLengths): Percentiles {
  return { median: lengths.percentile(0.5), p95: lengths.percentile(0.95), max: lengths.max }
}

function entryOf(type: TypeProfile, { path, value, holders }: ProfiledPath, pointers: readonly FoundPointer[]): ProfileEntry {
  const pointer = pointers.find((each) => each.holder === type && each.path.length === path.length && each.path.every((name, at) => name === path[at]))
  const { present, nulls, texts, integers, floats, booleans, lists, lengths, distinct, min, max, longestText } = value
  return {
    container: type.container.name,
    ...(type.type === undefined ? {} : { type: type.type }),
    property: pathText(path),
    holders, present, nulls,
    types: typesOf(value),
    ...(texts + integers + floats + booleans > 0 ? { distinct: distinct.size, ...(distinct.isEstimate ? { isEstimate: true } : {}) } : {}),
    ...(integers + floats > 0 ? { min, max } : {}),
    ...(texts > 0 ? { longest: longestText } : {}),
    ...(lists > 0 ? { lengths: percentilesOf(lengths) } : {}),
    ...(pointer ? pointed(pointer) : {}),
  }
}

function typesOf({ texts, integers, floats, booleans, objects, lists }: ValueProfile): Record<string, number> {
  const all = { string: texts, integer: integers, number: floats, boolean: booleans, object: objects, array: lists }
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0))
}

function pointed({ target, lookedUp, found, copies }: FoundPointer): Pick<ProfileEntry, 'idsIn' | 'copies'> {
  return {
    idsIn: { container: target.container.name, ...(target.type === undefined ? {} : { type: target.type }), lookedUp, found },
    ...(copies && copies.properties.size > 0 ? { copies: Object.fromEntries([...copies.properties].filter(([, { inOriginals }]) => inOriginals > 0).map(([name, { equal, drifted }]) => [name, { equal, drifted }])) } : {}),
  }
}
