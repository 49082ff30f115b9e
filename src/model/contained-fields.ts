// Values inside of documents that can be filtered by: those of contained objects, of the members of unions and of the objects of a
// list, where the contained type declares them `@indexed`. A list can be in the document itself, not in an object inside of it: a
// condition holds for one element, and not for elements of elements.

import { fieldNamed } from './api/plurals.ts'
import { comesFrom, type ContainedType, type DocumentType, type Field, type Model, type ObjectType } from './model.ts'
import type { StorageFrom } from './storages.ts'

/** A field whose objects can be filtered by their values. */
export interface ContainedFilterable {
  readonly field: Field
  /** The property of the holder. */
  readonly at: string
  /** Whether it is a list, of which one object or all may be asked for. */
  readonly many: boolean
  /** The input for conditions on one object. */
  readonly input: string
  /** One, or the members of a union. */
  readonly shapes: readonly ContainedShape[]
  readonly isUnion: boolean
}

export interface ContainedShape {
  readonly type: ContainedType
  /** What the filter of a union calls it. */
  readonly name: string
  readonly leaves: readonly Field[]
  readonly inner: readonly ContainedFilterable[]
}

export function containedFilterables(type: ObjectType, model: Model): ContainedFilterable[] {
  const inDocument = model.documents.has(type.name)
  return [...type.fields.values()].flatMap((field) => {
    const many = field.shape === 'list'
    if (!isHeld(field) || (many && !inDocument)) return []
    const isUnion = model.unions.has(field.target)
    const shapes = shapesOf(field, model).filter((shape) => !isUnion || isTold(shape)).map((shape) => shapeOf(shape, model)).filter(({ leaves, inner }) => leaves.length + inner.length > 0)
    return shapes.length === 0 ? [] : [{ field, at: field.storage.at, many, input: `${field.target}Filter`, shapes, isUnion }]
  })
}

/** What the conditions on one object of a contained type can be about. */
export function shapeOf(type: ContainedType, model: Model): ContainedShape {
  return { type, name: fieldNamed(type.name), leaves: isRecursive(type, model) ? [] : [...type.fields.values()].filter(isIndexedLeaf), inner: isRecursive(type, model) ? [] : containedFilterables(type, model) }
}

/** The indexes that these filters need: the path of each value, with `'*'` in lists. Unions are told apart by a value, too. */
export function containedPaths(type: DocumentType, model: Model): readonly string[][] {
  return containedFilterables(type, model).flatMap((each) => pathsIn(each))
}

function pathsIn({ at, many, shapes, isUnion }: ContainedFilterable): string[][] {
  const inside = shapes.flatMap(({ type, leaves, inner }) => [...(isUnion ? [[type.has!]] : []), ...leaves.map((leaf) => [propertyOf(leaf)]), ...inner.flatMap(pathsIn)])
  return [...new Map(inside.map((path) => [at, ...(many ? ['*'] : []), ...path]).map((path) => [JSON.stringify(path), path])).values()]
}

/** A scalar in an object of a document, by which documents can be ordered. */
export interface ContainedOrderable {
  /** From the field of the document to the scalar. */
  readonly trail: readonly [Field, ...Field[]]
  readonly path: readonly string[]
}

export function containedOrderables(type: ObjectType, model: Model): ContainedOrderable[] {
  return containedFilterables(type, model).filter(({ many, isUnion }) => !many && !isUnion).flatMap(({ field, at, shapes: [shape] }) => [
    ...shape!.leaves.map((leaf): ContainedOrderable => ({ trail: [field, leaf], path: [at, propertyOf(leaf)] })),
    ...containedOrderables(shape!.type, model).map(({ trail, path }): ContainedOrderable => ({ trail: [field, ...trail], path: [at, ...path] })),
  ])
}

/** The problem of an `@indexed` field in a type that is no document type, if no document can be filtered by it. */
export function checkContainedIndex(field: Field, model: Model): string[] {
  const { coordinate, owner, name } = field
  const type = model.contained.get(owner)
  if (!type || !isIndexedLeaf(field)) return [`${coordinate}: inside of documents @indexed is for stored scalars and enums. Remove it.`]
  if (['and', 'or', 'not'].includes(name)) return [`${coordinate}: every filter has an operator called ${name}. Rename the field, or remove @indexed.`]
  const isReached = [...model.documents.values()].some((document) => reaches(containedFilterables(document, model), owner))
  return isReached ? [] : [`${coordinate}: @indexed does nothing here, because no document can be filtered by ${owner}: it has to be an object of the document, perhaps within another, or in a list of the document itself, and must not contain itself. A member of a union needs @shape(has: "…") with a required scalar of its own. Remove @indexed, or store the value as a field of the document.`]
}

function reaches(filterables: readonly ContainedFilterable[], owner: string): boolean {
  return filterables.some(({ shapes }) => shapes.some(({ type, inner }) => type.name === owner || reaches(inner, owner)))
}

type HeldField = Field<StorageFrom<'client' | 'part'>>

/** Whether its values are objects inside of the document. */
function isHeld(field: Field): field is HeldField {
  return !field.leaf && comesFrom(field, 'client', 'part')
}

function isIndexedLeaf(field: Field): boolean {
  return field.indexed && field.leaf && field.shape === 'one' && comesFrom(field, 'client')
}

function shapesOf({ target }: Field, model: Model): readonly ContainedType[] {
  const contained = model.contained.get(target)
  return contained ? [contained] : (model.unions.get(target) ?? [])
}

/** Whether a condition can tell objects of this member: by a scalar that all of them have. */
function isTold({ has, fields }: ContainedType): boolean {
  return [...fields.values()].some((field) => field.leaf && field.shape === 'one' && field.required && comesFrom(field, 'client') && field.storage.at === has)
}

/** Whether objects of a type may contain objects of the same type. */
function isRecursive(type: ContainedType, model: Model, from: ObjectType = type, seen = new Set<string>()): boolean {
  return [...from.fields.values()].filter(isHeld).some((field) => shapesOf(field, model).some((inner) => {
    if (inner.name === type.name) return true
    if (seen.has(inner.name)) return false
    seen.add(inner.name)
    return isRecursive(type, model, inner, seen)
  }))
}

function propertyOf({ storage, name }: Field): string {
  return 'at' in storage ? storage.at : name
}
