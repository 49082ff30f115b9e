// What differs between the storage that a store's documents were written under and the one that a schema declares now, and what
// that means for the documents. The table `classes` decides; nothing here reads a document.

import { storageTraits, type StorageKind } from '../../model/storages.ts'
import { storedTypeOf, typeAt, type DeclaredField, type DeclaredStorage, type DeclaredType } from './declared-storage.ts'

/** Every way in which two declarations can differ, and what documents need because of it. */
export const classes = {
  // Nothing to do: the documents are right for both.
  'new type': 'nothing',
  'dropped type': 'nothing',
  'dropped field': 'nothing',
  recomputed: 'nothing',
  // Answered right at once by lookups, until every document has it (stored-snapshots.ts).
  'new snapshot, list or count': 'catch-up',
  // Documents say whether they fit: migration is needed if some do not.
  'new value': 'by documents',
  'other value': 'by documents',
  'newly unique': 'by documents',
  // Everything needed is in the documents, and a repair rewrites it.
  'other form': 'recompute',
  // The documents are not where, or not as, the schema says.
  'other container': 'migration',
  'other type': 'migration',
  'other partition key': 'migration',
  'other property': 'migration',
  'other storage': 'migration',
  'other target': 'migration',
  'perhaps renamed': 'migration',
} as const

export type Change = keyof typeof classes

export interface Difference {
  readonly change: Change
  /** `Type`, or `Type.field`. */
  readonly at: string
  /** What is stored and what is declared, to be read after `at`. */
  readonly sentence: string
  /** The type whose documents are concerned, as they are stored; undefined for a contained type. */
  readonly stored?: DeclaredType
}

export function differences(before: DeclaredStorage, now: DeclaredStorage): Difference[] {
  const found: Difference[] = []
  for (const [name, type] of Object.entries(now.documents)) {
    const old = storedTypeOf(before, name, type)
    if (!old) found.push({ change: 'new type', at: name, sentence: 'is new' })
    else found.push(...places(name, old, type), ...fields(name, old.dropped ? droppedFields(old) : old, type, { before, now }, old))
  }
  for (const [name, type] of Object.entries(before.documents)) {
    if (!type.dropped && !now.documents[name] && typeAt(now, type) === undefined) found.push({ change: 'dropped type', at: name, sentence: 'is not declared any more; its documents stay', stored: type })
  }
  for (const [name, type] of Object.entries(now.contained)) {
    // Nothing stored has the name of a contained type, so under a new name its values are judged like new ones.
    found.push(...fields(name, before.contained[name] ?? { fields: {} }, type, { before, now }, undefined))
  }
  return found
}

/** While a type or a field is not declared, nothing keeps what it says right. */
function droppedFields({ fields: all }: Fields): Fields {
  return { fields: Object.fromEntries(Object.entries(all).map(([name, field]) => [name, { ...field, dropped: true as const }])) }
}

function places(at: string, old: DeclaredType, now: DeclaredType): Difference[] {
  const other = (change: Change, what: string, one: string | undefined, two: string | undefined): Difference[] =>
    (one === two ? [] : [{ change, at, sentence: `has documents with ${what} ${textOf(one)}, and the schema says ${textOf(two)}`, stored: old }])
  return [
    ...other('other container', 'container', old.container, now.container),
    ...other('other type', 'type', old.type, now.type),
    ...other('other partition key', 'partitionKey', old.partitionKey, now.partitionKey),
  ]
}

function textOf(value: string | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value)
}

type Fields = Pick<DeclaredType, 'fields'>

interface Both {
  readonly before: DeclaredStorage
  readonly now: DeclaredStorage
}

function fields(type: string, old: Fields, now: Fields, both: Both, stored: DeclaredType | undefined): Difference[] {
  const gone = Object.entries(old.fields).filter(([name, each]) => !each.dropped && !now.fields[name])
  const added = Object.entries(now.fields).filter(([name]) => !old.fields[name])
  const of = (change: Change, name: string, sentence: string): Difference => ({ change, at: `${type}.${name}`, sentence, ...(stored ? { stored } : {}) })
  return [
    ...gone.flatMap(([name, each]) => {
      // A field of the same kind that holds its property under another name.
      if (heldBy(now, each)) return []
      const candidates = added.filter(([, other]) => isAlike(each, other)).map(([other]) => other)
      return candidates.length === 0
        ? [of('dropped field', name, 'is not declared any more; documents keep its property')]
        : [of('perhaps renamed', name, `is not declared any more, and ${candidates.join(' and ')} is new. Renamed, or dropped and added?`)]
    }),
    ...added.flatMap(([name, each]) => {
      const same = heldBy(old, each)
      return same ? compared(name, same, each) : addedField(name, each)
    }),
    ...Object.entries(now.fields).flatMap(([name, each]) => {
      const before = old.fields[name]
      if (!before) return []
      const other = compared(name, before, each)
      return before.dropped && other.length === 0 ? addedField(name, each, 'is declared again') : other
    }),
    ...Object.entries(now.fields).flatMap(([name, each]) => (each.unique && !isUnique(old.fields[name] ?? heldBy(old, each)) ? [of('newly unique', name, 'is unique now')] : [])),
  ]

  function addedField(name: string, { storage }: DeclaredField, sentence = 'is new'): Difference[] {
    const { holds } = traitsOf(storage)
    if (holds === 'nothing') return [of('recomputed', name, sentence)]
    if (holds === 'count' || storage['inverseOf'] !== undefined) return [of('new snapshot, list or count', name, sentence)]
    return [of('new value', name, sentence)]
  }

  function compared(name: string, one: DeclaredField, other: DeclaredField): Difference[] {
    const [held, holds] = [traitsOf(one.storage).holds, traitsOf(other.storage).holds]
    if (isFoundElsewhere(one, other)) return [of('other storage', name, `is found by @${one.storage.kind}, and the schema says @${other.storage.kind}`)]
    if (holds === 'nothing') return held === 'nothing' || isComputed(other) ? [] : [of('other storage', name, `is stored by @${one.storage.kind}, and the schema says @${other.storage.kind}`)]
    if (held === 'nothing') return addedField(name, other).map((each) => (each.change === 'new value' ? of('other storage', name, `is not stored (@${one.storage.kind}), and the schema says @${other.storage.kind}`) : each))
    if (held !== holds && !(hasIds(held) && hasIds(holds))) return [of('other storage', name, `is stored by @${one.storage.kind}, and the schema says @${other.storage.kind}`)]
    if (one.storage.at !== other.storage.at) return [of('other property', name, `is stored at "${one.storage.at}", and the schema says "${other.storage.at}"`)]
    const lost = (one.values ?? []).filter((value) => !(other.values ?? []).includes(value))
    if (holds === 'value' && one.target === other.target && lost.length > 0) return [of('other value', name, `can no longer be ${lost.join(' or ')}`)]
    if (holds === 'value') return one.target === other.target && one.shape === other.shape && (one.required || !other.required) ? [] : [of('other value', name, `was ${typeText(one)} and is ${typeText(other)}`)]
    if (holds === 'entries' && ['key', 'type'].some((word) => one.storage[word] !== other.storage[word])) return [of('other property', name, 'has buckets with another key or type')]
    if (isElsewhere(one.target, other.target)) return [of('other target', name, `points at ${one.target}, and the schema says ${other.target}`)]
    if (held !== holds) return [of('other form', name, `is stored by @${one.storage.kind}, and the schema says @${other.storage.kind}`)]
    if (isSet(one.storage['inverseOf']) !== isSet(other.storage['inverseOf'])) return [of('other storage', name, 'is stored for clients, or maintained by Quire, and the schema says the other')]
    if (one.shape !== other.shape || storedArguments.some((word) => isSet(one.storage[word]) !== isSet(other.storage[word]) || (isSet(one.storage[word]) && one.storage[word] !== other.storage[word]))) {
      return [of('other form', name, 'is stored under other arguments of its directive')]
    }
    return [
      ...(holds === 'snapshots' && (other.storage['fields'] as string[]).some((copied) => !(one.storage['fields'] as string[]).includes(copied)) ? [of('new snapshot, list or count', name, 'copies more')] : []),
      ...(other.required && !one.required && other.shape === 'one' ? [of('other value', name, `was ${typeText(one)} and is ${typeText(other)}`)] : []),
    ]
  }

  /** A target that only has another name has its documents where they were. */
  function isElsewhere(one: string, other: string): boolean {
    if (one === other) return false
    const [from, to] = [both.before.documents[one], both.now.documents[other]]
    return from?.container !== to?.container || from?.type !== to?.type
  }
}

/** The arguments of directives that what is stored depends on. */
const storedArguments = ['inverseOf', 'numeric', 'relation', 'field', 'function', 'recent', 'size']

function hasIds(holds: string): boolean {
  return holds === 'ids' || holds === 'snapshots'
}

/** By what points at the document in one schema, by joining documents in the other: neither finds what the other stores. */
function isFoundElsewhere(one: DeclaredField, other: DeclaredField): boolean {
  return (isSet(one.storage['of']) && isSet(other.storage['through'])) || (isSet(one.storage['through']) && isSet(other.storage['of']))
}

/** From the document itself, and not from others that point at it. */
function isComputed({ storage }: DeclaredField): boolean {
  return storage['of'] === undefined && storage['through'] === undefined
}

/** JSON has no undefined, and an argument that is false says nothing. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false
}

function isUnique(field: DeclaredField | undefined): boolean {
  return field?.unique === true && !field.dropped
}

/** The field that stores the same property in the same way. */
function heldBy({ fields: all }: Fields, { storage }: DeclaredField): DeclaredField | undefined {
  if (storage.at === undefined) return undefined
  return Object.values(all).find((each) => !each.dropped && each.storage.at === storage.at && traitsOf(each.storage).holds === traitsOf(storage).holds)
}

/** Whether one could be the other under a new name. What is only computed from documents can be computed under any. */
function isAlike(one: DeclaredField, other: DeclaredField): boolean {
  const { holds } = traitsOf(one.storage)
  return holds !== 'nothing' && holds !== 'count' && one.storage['inverseOf'] === undefined && holds === traitsOf(other.storage).holds && one.target === other.target && one.shape === other.shape
}

function traitsOf({ kind }: DeclaredField['storage']): (typeof storageTraits)[StorageKind] {
  return storageTraits[kind as StorageKind]
}

function typeText({ target, shape, required }: DeclaredField): string {
  const one = `${target}${required ? '!' : ''}`
  return shape === 'list' ? `[${one}]` : one
}
