// From what a mutation is given to what a document holds. Referenced documents are read in one wave,
// which both proves that they exist and fills the copies that snapshots keep of them.

import { GraphQLError } from 'graphql'
import type { Declaration } from '../relations/declaration.ts'
import { badInput, clientError } from '../errors.ts'
import { inputName, memberName } from '../model/api/mutations.ts'
import { targetOf, type ContainedType, type DocumentType, type Field, type ObjectType } from '../model/model.ts'
import { isPointer } from '../model/pointers.ts'
import { kindOf } from '../relations/index.ts'
import { propertyOf } from '../relations/pointers/walk-pointers.ts'
import type { Body, Json } from '../model/json/json.ts'
import type { Changeset } from './changeset.ts'

export type Input = Readonly<Record<string, unknown>>

/** Where documents that are pointed at are looked for. */
export type Targets = Pick<Changeset, 'read'>

/** The properties that an input sets. */
export async function propertiesFrom(declaration: Declaration, type: ObjectType, input: Input, changes: Targets): Promise<Body> {
  const [properties] = await propertiesOfEach(declaration, type, [input], changes)
  if (properties instanceof GraphQLError) throw properties
  return properties!
}

/** The same for many inputs, in one wave; for one that is refused, why. */
export async function propertiesOfEach(declaration: Declaration, type: ObjectType, inputs: readonly Input[], changes: Targets): Promise<(Body | GraphQLError)[]> {
  const problems = inputs.map((input) => problemIn(declaration, type, input))
  const pointed = inputs.map((input, index) => (problems[index] ? [] : pointedIn(declaration, type, input)))
  const wanted = pointed.flat()
  const targets = await changes.read(wanted.map(({ field, id }) => ({ type: targetOf(declaration.model, field), id })))
  const bodies = new Map(wanted.flatMap(({ field, id }, index) => (targets[index]?.after ? [[`${field.target} ${id}`, targets[index].after]] : [])))
  const assembly = new Assembly(declaration, bodies)
  return inputs.map((input, index) => {
    const missing = pointed[index]!.filter(({ field, id }) => !bodies.has(`${field.target} ${id}`))
    return problems[index] ?? (missing.length > 0 ? missingError(missing) : assembly.properties(type, input))
  })
}

function missingError(missing: readonly Pointed[]): GraphQLError {
  return clientError('REFERENCE_MISSING', missing.map(({ field, id }) => `${field.coordinate}: there is no ${field.target} ${id}.`).join(' ')
    + ' Create what is missing first, or leave the reference out.')
}

function problemIn(declaration: Declaration, type: ObjectType, input: Input): GraphQLError | undefined {
  try {
    checkInput(declaration, type, input)
    return undefined
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
}

/** Before anything is read for it. */
function checkInput(declaration: Declaration, type: ObjectType, input: Input): void {
  for (const { field, value } of givenFields(type, input)) {
    checkGiven(field, value)
    if (isPointer(field)) continue
    for (const { shape, inner } of containedIn(declaration, field, value)) checkInput(declaration, shape, inner)
  }
}

interface Pointed {
  readonly field: Field
  readonly id: string
}

/** Every id that an input gives, however deep. */
function pointedIn(declaration: Declaration, type: ObjectType, input: Input): Pointed[] {
  return givenFields(type, input).flatMap(({ field, value }): Pointed[] => {
    if (isPointer(field)) return idsGiven(value).map((id) => ({ field, id }))
    return containedIn(declaration, field, value).flatMap(({ shape, inner }) => pointedIn(declaration, shape, inner))
  })
}

class Assembly {
  readonly #declaration: Declaration
  readonly #documents: ReadonlyMap<string, Body>

  constructor(declaration: Declaration, documents: ReadonlyMap<string, Body>) {
    this.#declaration = declaration
    this.#documents = documents
  }

  properties(type: ObjectType, input: Input): Body {
    return Object.fromEntries(givenFields(type, input).map(({ field, value }) => {
      return [propertyOf(field), this.#value(field, value)]
    }))
  }

  #value(field: Field, value: unknown): Json {
    if (isPointer(field)) {
      return kindOf(field).point!(field, idsGiven(value), (id) => this.#documents.get(`${field.target} ${id}`)!, this.#declaration.tools)
    }
    if (value === null) return field.shape === 'list' ? [] : null
    if (field.leaf) return value as Json
    const inside = containedIn(this.#declaration, field, value).map(({ shape, inner }) => this.properties(shape, inner))
    return field.shape === 'list' ? inside : (inside[0] ?? null)
  }
}

function givenFields(type: ObjectType, input: Input): { field: Field; value: unknown }[] {
  const given: { field: Field; value: unknown }[] = []
  for (const { field, name } of inputFields(type)) {
    const value = input[name]
    if (value !== undefined) given.push({ field, value })
  }
  return given
}

/** What follows from the type alone, worked out once: an import asks for every row. */
function inputFields(type: ObjectType): readonly { field: Field; name: string }[] {
  const known = inputFieldsOf.get(type) ?? [...type.fields.values()].flatMap((field) => {
    const name = inputName(field)
    return name === undefined ? [] : [{ field, name }]
  })
  inputFieldsOf.set(type, known)
  return known
}

const inputFieldsOf = new WeakMap<ObjectType, readonly { field: Field; name: string }[]>()

function checkGiven(field: Field, value: unknown): void {
  if (value === null && field.required && field.shape === 'one') throw badInput(`${field.coordinate} cannot be null. Give it a value, or leave it out.`)
  if (isInfinite(value) || (Array.isArray(value) && value.some(isInfinite))) throw badInput(`${field.coordinate} is a number that is too large to be stored. Give a smaller one.`)
  const max = 'max' in field.storage ? field.storage.max : undefined
  if (max !== undefined && Array.isArray(value) && value.length > max) {
    throw badInput(`${field.coordinate} holds at most ${max} and ${value.length} are given.`)
  }
}

/** JSON has no such number, and would keep null in its place. */
export function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value)
}

function idsGiven(value: unknown): string[] {
  return value === null ? [] : [...new Set(Array.isArray(value) ? (value as string[]) : [value as string])]
}

/** Contained objects of an input, with the type that each one has. */
function containedIn({ model }: Declaration, field: Field, value: unknown): { shape: ContainedType; inner: Input }[] {
  if (field.leaf || value === null) return []
  const all = (Array.isArray(value) ? value : [value]) as Input[]
  const contained = model.contained.get(field.target)
  if (contained) return all.map((inner) => ({ shape: contained, inner }))
  const members = model.unions.get(field.target) ?? []
  return all.flatMap((choice) => members.filter((member) => choice[memberName(member)]).map((shape) => ({ shape, inner: choice[memberName(shape)] as Input })))
}

/** An id that every store can keep and every address can carry. */
export function checkId(type: DocumentType, id: string): string {
  const carried = /^[^/\\?#\p{Cc}]{1,255}$/u.test(id) && id !== '.' && id !== '..' && id.trim() !== '' && id.isWellFormed()
  if (!carried) throw badInput(`"${id.slice(0, 40)}" cannot be the id of a ${type.name}. Use up to 255 characters, without / \\ ? #.`)
  return id
}
