// What the documents of each type need, from the two models alone: rewritten, created from links or objects, or deleted because their data
// is stored elsewhere. Types whose documents stay as they are are left out.

import type { DocumentType, Field, ObjectType } from '../../../model/model.ts'
import { sameJson } from '../../../model/json/same-json.ts'
import type { Json } from '../../../model/json/json.ts'
import { isRelation, joiningType, pointerBehind } from '../../../relations/logical/links.ts'
import type { MatchedModels } from './matched-models.ts'
import { isMade, joinedProblem, joinedSource, sourceOf, type Source } from './field-sources.ts'

export interface TypeWork {
  readonly old: DocumentType
  /** Undefined for a type whose documents are deleted. */
  readonly now: DocumentType | undefined
  readonly isPlacedAnew: boolean
  /** Properties whose data is stored elsewhere now. */
  readonly superseded: readonly string[]
  /** Documents that are created from each one. */
  readonly makes: readonly Making[]
}

export type Making =
  /** Of each object in an old field. */
  | { readonly of: 'objects'; readonly field: Field; readonly type: DocumentType }
  /** Of each link of a relation; `joined` is its field in the new model. */
  | { readonly of: 'links'; readonly joined: Field; readonly source: Source; readonly type: DocumentType }

export interface Work {
  readonly types: readonly TypeWork[]
  /** By `Type.field`: why it cannot be done. */
  readonly problems: ReadonlyMap<string, string>
}

export function workOf(pairs: MatchedModels): Work {
  const problems = new Map<string, string>()
  for (const field of [...pairs.now.documents.values(), ...pairs.now.contained.values()].flatMap((type) => [...type.fields.values()])) {
    const source = sourceOf(pairs, field)
    const why = source.from === 'impossible' ? source.why : joinedProblem(pairs, field)
    if (why !== undefined) problems.set(field.coordinate, why)
  }
  const used = usedUp(pairs)
  const types = [...pairs.old.documents.values()].flatMap((old): TypeWork[] => {
    const now = pairs.now.documents.values().find((type) => pairs.oldDocument(type) === old)
    if (!now) return used.has(old) ? [{ old, now, isPlacedAnew: false, superseded: [], makes: [] }] : []
    const makes = makingsOf(pairs, old, now)
    const [isPlacedAnew, superseded] = [!isSamePlace(old, now), supersededIn(pairs, old)]
    return isPlacedAnew || makes.length > 0 || superseded.length > 0 || now.fields.values().some((field) => isChanged(pairs, field)) ? [{ old, now, isPlacedAnew, superseded, makes }] : []
  })
  return { types, problems }
}

function isChanged(pairs: MatchedModels, field: Field): boolean {
  const source = sourceOf(pairs, field)
  return ('old' in source && source.old !== undefined) || pairs.default(field.coordinate) !== undefined
}

function isSamePlace(old: DocumentType, now: DocumentType): boolean {
  return old.container === now.container && old.discriminator === now.discriminator && isSamePartitionKey(old, now)
}

export function isSamePartitionKey(old: DocumentType, now: DocumentType): boolean {
  return sameJson(JSON.parse(JSON.stringify(old.partitionKey)) as Json, JSON.parse(JSON.stringify(now.partitionKey)) as Json)
}

function makingsOf(pairs: MatchedModels, old: DocumentType, now: DocumentType): Making[] {
  const objects = [...now.fields.values()].flatMap((field): Making[] => {
    const before = pairs.oldField(field)
    return before && isMade(pairs, before, field) ? [{ of: 'objects', field: before, type: pairs.now.documents.get(field.target)! }] : []
  })
  const links = [...pairs.now.documents.values()].flatMap((type): Making[] => {
    if (pairs.oldDocument(type)) return []
    const joined = joinedSource(pairs, type.name)
    return joined && pairs.oldDocument(pairs.now.documents.get(joined.field.owner)!) === old ? [{ of: 'links', joined: joined.field, source: joined.source, type }] : []
  })
  return [...objects, ...links]
}

/** What documents, and the objects in them, do not have any more: types, and fields as `Type.field`. */
export function forgottenBy(pairs: MatchedModels, { types }: Work): string[] {
  const gone = (old: ObjectType, now: ObjectType, superseded: readonly string[]): string[] => [...old.fields.values()]
    .filter((field) => !now.fields.has(field.name) && (pairs.nowField(field) !== undefined || ('at' in field.storage && superseded.includes(field.storage.at))))
    .map(({ name }) => `${now.name}.${name}`)
  const objects = [...pairs.now.contained.values()].flatMap((now) => {
    const old = pairs.old.contained.get(now.name)
    return old ? gone(old, now, []) : []
  })
  return [...types.flatMap(({ old, now, superseded }) => (now ? gone(old, now, superseded) : [old.name])), ...objects]
}

/** The properties of pointers that the new model does not declare, because their links are stored elsewhere. */
function supersededIn(pairs: MatchedModels, old: DocumentType): readonly string[] {
  const moved = [...pairs.now.documents.values()].flatMap((type) => [...type.fields.values()]).flatMap((field) => {
    const source = sourceOf(pairs, field)
    const behind = source.from === 'links' || source.from === 'documents' ? pointerBehind(source.old, pairs.old) : undefined
    return behind && behind.owner === old.name && !pairs.nowField(behind) ? [behind.storage.at] : []
  })
  return [...new Set(moved)]
}

/** Types that the new model does not declare and whose data it has elsewhere. */
function usedUp(pairs: MatchedModels): ReadonlySet<DocumentType> {
  const used = new Set<DocumentType | undefined>()
  for (const field of [...pairs.now.documents.values()].flatMap((type) => [...type.fields.values()])) {
    const source = sourceOf(pairs, field)
    if (source.from === 'documents') used.add(pairs.old.documents.get(source.old.target))
    const old = pairs.oldField(field)
    if (old && isRelation(old, pairs.old)) used.add(joiningType(old, pairs.old))
  }
  return new Set([...used].filter((type) => type !== undefined && !pairs.now.documents.values().some((now) => pairs.oldDocument(now) === type)) as DocumentType[])
}
