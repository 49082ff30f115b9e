// Where the value of each field of the new model comes from in documents of the old one. The two models decide it, once;
// transform-document.ts applies it to each document.

import type { Field } from '../../../model/model.ts'
import { isPointer } from '../../../model/pointers.ts'
import { sameJson } from '../../../model/json/same-json.ts'
import type { Json } from '../../../model/json/json.ts'
import { storageTraits } from '../../../model/storages.ts'
import { conversionTo } from '../scalar-conversions.ts'
import { isRelation, joiningType, pointerBehind } from '../../../relations/logical/links.ts'
import type { MatchedModels } from './matched-models.ts'

export type Source =
  /** The property is right as it is. */
  | { readonly from: 'same' }
  /** The old value, converted, or elsewhere. */
  | { readonly from: 'value'; readonly old: Field }
  /** Objects of a list, of which either side keeps older ones in buckets. */
  | { readonly from: 'entries'; readonly old: Field }
  /** Ids of linked documents; `inverse` where the old field is on the other side. */
  | { readonly from: 'links'; readonly old: Field; readonly inverse: boolean }
  /** Objects in a document became documents, to which this field links. */
  | { readonly from: 'made'; readonly old: Field }
  /** The same from the other side: the document in which the object was. */
  | { readonly from: 'maker'; readonly old: Field }
  /** Linked documents become objects in the document. */
  | { readonly from: 'documents'; readonly old: Field }
  /** Quire computes it, or it is read from elsewhere. `old` is the field whose property is not needed any more. */
  | { readonly from: 'computed'; readonly old?: Field }
  /** Documents lack it. */
  | { readonly from: 'nothing' }
  /** It cannot be done, and why. */
  | { readonly from: 'impossible'; readonly why: string }

/** Cached: it is asked for every object. */
export function sourceOf(pairs: MatchedModels, field: Field): Source {
  let known = sourcesOf.get(pairs)
  if (!known) sourcesOf.set(pairs, (known = new Map()))
  let source = known.get(field)
  if (!source) known.set(field, (source = findSource(pairs, field)))
  return source
}

const sourcesOf = new WeakMap<MatchedModels, Map<Field, Source>>()

function findSource(pairs: MatchedModels, field: Field): Source {
  const old = pairs.oldField(field)
  const { holds } = storageTraits[field.storage.kind]
  if (isPointer(field)) return pointerSource(pairs, field, old)
  // A list that Quire maintains is written at once, where the links were elsewhere.
  if (holds === 'ids' || holds === 'snapshots') return old && isRelation(old, pairs.old) && !isSame(pairs, old, field) ? { from: 'computed', old } : { from: 'computed' }
  if (holds === 'nothing' || holds === 'count') return old && isLeft(pairs, field, old) ? { from: 'computed', old } : { from: 'computed' }
  if (!old) return { from: 'nothing' }
  if (isRelation(old, pairs.old)) return pairs.now.contained.has(field.target) && old.target === field.target && !pairs.now.documents.has(field.target) ? { from: 'documents', old } : impossible(old, field)
  const held = storageTraits[old.storage.kind].holds
  if (held === 'nothing' || held === 'count') return { from: 'nothing' }
  if (isSame(pairs, old, field)) return { from: 'same' }
  if (held === 'entries' || holds === 'entries') return old.target === field.target ? { from: 'entries', old } : impossible(old, field)
  return valueProblem(pairs, old, field) ?? { from: 'value', old }
}

/** Whether the fields of an object type are all stored as they were. Types may contain themselves. */
export function sameObjects(pairs: MatchedModels, name: string, seen: ReadonlySet<string> = new Set()): boolean {
  const [old, now] = [pairs.old.contained.get(name), pairs.now.contained.get(name)]
  if (!old || !now || seen.has(name)) return true
  return now.fields.values().every((field) => {
    const before = pairs.oldField(field)
    if (pairs.default(field.coordinate) !== undefined) return false
    return before ? isSame(pairs, before, field, new Set([...seen, name])) : true
  })
}

/** The arguments of directives that a stored value depends on. Which fields a snapshot copies is caught up with. */
const argumentsOf = ['at', 'numeric', 'recent', 'size', 'key', 'type', 'relation', 'field', 'function', 'inverseOf', 'of', 'through', 'from', 'to']

function isSame(pairs: MatchedModels, old: Field, field: Field, seen?: ReadonlySet<string>): boolean {
  if (old.storage.kind !== field.storage.kind && !(isValue(old) && isValue(field))) return false
  const [one, other] = [old.storage, field.storage] as unknown as readonly Readonly<Record<string, Json>>[]
  if (argumentsOf.some((word) => !sameJson(one![word] || undefined, other![word] || undefined))) return false
  if (old.shape !== field.shape || (old.leaf && field.leaf && old.target !== field.target)) return false
  return sameObjects(pairs, field.target, seen)
}

function isValue({ storage }: Field): boolean {
  return storageTraits[storage.kind].holds === 'value'
}

/** Whether a property that documents have is not needed any more. */
function isLeft(pairs: MatchedModels, field: Field, old: Field | undefined): boolean {
  return old !== undefined && 'at' in old.storage && !('at' in field.storage && field.storage.at === old.storage.at) && !isSame(pairs, old, field)
}

/** A field into which clients write ids: from the field that was there, or from the one that is read through it now. */
function pointerSource(pairs: MatchedModels, field: Field, old: Field | undefined): Source {
  if (old) {
    const sameTarget = pairs.oldDocument(pairs.now.documents.get(field.target)!)?.name === old.target
    if (isRelation(old, pairs.old) && sameTarget) return isPointer(old) && isSame(pairs, old, field) ? { from: 'same' } : { from: 'links', old, inverse: false }
    if (isMade(pairs, old, field)) return { from: 'made', old }
    return storageTraits[old.storage.kind].holds === 'nothing' ? { from: 'nothing' } : impossible(old, field)
  }
  for (const reading of [...pairs.now.documents.values()].flatMap((type) => [...type.fields.values()])) {
    if (reading === field || pointerBehind(reading, pairs.now)?.coordinate !== field.coordinate) continue
    const before = pairs.oldField(reading)
    if (!before) continue
    if (isMade(pairs, before, reading)) return { from: 'maker', old: before }
    // A relation whose old pointer is still there is that pointer's.
    const behind = isRelation(before, pairs.old) ? pointerBehind(before, pairs.old) : undefined
    if (isRelation(before, pairs.old) && !(behind && behind !== before && pairs.nowField(behind))) return { from: 'links', old: before, inverse: true }
  }
  return { from: 'nothing' }
}

/** Whether the objects of an old field became the documents that the new one links with. */
export function isMade({ old: before, now }: MatchedModels, old: Field, field: Field): boolean {
  return before.contained.has(old.target) && !before.documents.has(old.target) && old.target === field.target && now.documents.has(field.target) && before.documents.has(old.owner)
}

function valueProblem(pairs: MatchedModels, old: Field, field: Field): Source | undefined {
  if (old.target === field.target) return undefined
  if (old.leaf !== field.leaf) return impossible(old, field)
  if (!field.leaf) return sameShape(pairs, old.target, field.target) ? undefined : impossible(old, field)
  return conversionTo(field.target) ? undefined : impossible(old, field)
}

function sameShape(pairs: MatchedModels, one: string, other: string): boolean {
  return !pairs.old.contained.has(one) && !pairs.now.contained.has(other)
}

function impossible(old: Field, field: Field): Source {
  return { from: 'impossible', why: `@${old.storage.kind} of ${old.target} cannot become @${field.storage.kind} of ${field.target}: they do not hold the same data. Change it back, or give it another name.` }
}

/** The relation whose links become joining documents of a type that was not there. */
export function joinedSource(pairs: MatchedModels, joining: string): { readonly field: Field; readonly source: Extract<Source, { from: 'links' | 'made' }> } | undefined {
  for (const field of [...pairs.now.documents.values()].flatMap((type) => [...type.fields.values()])) {
    if (joiningType(field, pairs.now)?.name !== joining) continue
    const old = pairs.oldField(field)
    if (old && isRelation(old, pairs.old)) return { field, source: { from: 'links', old, inverse: false } }
    if (old && isMade(pairs, old, field)) return { field, source: { from: 'made', old } }
  }
  return undefined
}

/** Whether a joined field of the new model needs joining documents of a type that was there before, for links that were elsewhere. */
export function joinedProblem(pairs: MatchedModels, field: Field): string | undefined {
  const joining = joiningType(field, pairs.now)
  const old = joining && pairs.oldField(field)
  if (!old || !pairs.old.documents.has(joining.name) || joiningType(old, pairs.old)?.name === joining.name) return undefined
  return `${joining.name} has documents of its own, so the links of ${old.coordinate} cannot become ${joining.name} documents. Join through a new type.`
}

