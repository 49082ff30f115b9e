// Turns a mutation's input into the properties of a document. All referenced documents are read in one wave, which both
// proves that they exist and fills the snapshots of them.

import { GraphQLError } from 'graphql'
import type { Declaration } from '../../relations/declaration.ts'
import { clientError } from '../../graphql-errors.ts'
import { targetOf, type DocumentType, type Field, type ObjectType } from '../../model/model.ts'
import { isPointer } from '../../model/pointers.ts'
import { storedValue } from '../../model/values/known-scalars.ts'
import { kindOf } from '../../relations/kinds.ts'
import { propertyOf } from '../../relations/pointers/walk-pointers.ts'
import type { Body, Json } from '../../model/json/json.ts'
import type { Changeset } from '../changeset.ts'
import { inputProblem } from './check-input.ts'
import { frozenValues, StoredObjects } from './frozen-values.ts'
import { containedInputs, providedFields } from './provided-fields.ts'

/**
 * The values of an input object, by field.
 *
 * @example
 * ```ts
 * const input: Input = { id: 'b1', name: 'Rex' }
 * ```
 */
export type Input = Readonly<Record<string, unknown>>

/** Where referenced documents are read. */
export type Targets = Pick<Changeset, 'read'>

/** The properties that an input sets. `before` is the stored document, if there is one. */
export async function propertiesFrom(declaration: Declaration, type: ObjectType, input: Input, targets: Targets, before?: Body): Promise<Body> {
  const [properties] = await propertiesOfEach(declaration, type, [input], targets, before)
  if (properties instanceof GraphQLError) throw properties
  return properties!
}

/** The same for many inputs, in one wave; for each invalid input, its error. */
export async function propertiesOfEach(declaration: Declaration, type: ObjectType, inputs: readonly Input[], targets: Targets, before?: Body): Promise<(Body | GraphQLError)[]> {
  const problems = inputs.map((input) => inputProblem(declaration, type, input))
  const references = inputs.map((input, index) => (problems[index] ? [] : referencesIn(declaration, type, input)))
  const wanted = references.flat()
  const found = await targets.read(wanted.map(({ field, id }) => ({ type: targetOf(declaration.model, field), id })))
  const bodies = new Map(wanted.flatMap(({ field, id }, index) => (found[index]?.after ? [[`${field.target} ${id}`, found[index].after]] : [])))
  const assembly = new Assembly(declaration, bodies)
  return inputs.map((input, index) => {
    const missing = references[index]!.filter(({ field, id }) => !bodies.has(`${field.target} ${id}`))
    return problems[index] ?? (missing.length > 0 ? missingError(missing) : assembly.properties(type, input, before))
  })
}

/** The documents that inputs of a type name: their own, where they give an id, and all that they reference. */
export function namedIn(declaration: Declaration, type: DocumentType, inputs: readonly Input[]): { type: DocumentType; id: string }[] {
  return inputs.flatMap((input) => [
    ...(typeof input['id'] === 'string' ? [{ type, id: input['id'] }] : []),
    ...(inputProblem(declaration, type, input) ? [] : referencesIn(declaration, type, input).map(({ field, id }) => ({ type: targetOf(declaration.model, field), id }))),
  ])
}

interface GivenReference {
  readonly field: Field
  readonly id: string
}

/** Every id in an input, at any depth. */
function referencesIn(declaration: Declaration, type: ObjectType, input: Input): GivenReference[] {
  return providedFields(type, input).flatMap(({ field, value }): GivenReference[] => {
    if (isPointer(field)) return idsGiven(value).map((id) => ({ field, id }))
    return containedInputs(declaration, field, value).flatMap(({ shape, inner }) => referencesIn(declaration, shape, inner))
  })
}

function missingError(missing: readonly GivenReference[]): GraphQLError {
  return clientError('REFERENCE_MISSING', missing.map(({ field, id }) => `${field.coordinate}: there is no ${field.target} ${id}.`).join(' ')
    + ' Create the missing documents first, or omit the reference.')
}

class Assembly {
  readonly #declaration: Declaration
  readonly #documents: ReadonlyMap<string, Body>

  constructor(declaration: Declaration, documents: ReadonlyMap<string, Body>) {
    this.#declaration = declaration
    this.#documents = documents
  }

  properties(type: ObjectType, input: Input, before: Body | undefined): Body {
    const properties = Object.fromEntries(providedFields(type, input).map(({ field, value }) => [propertyOf(field), this.#value(field, value, before)]))
    return Object.assign(properties, frozenValues(type, input, this.#declaration.kindContext, (target, id) => this.#document(target, id), before))
  }

  #document(target: string, id: string): Body {
    return this.#documents.get(`${target} ${id}`)!
  }

  #value(field: Field, value: unknown, before: Body | undefined): Json {
    if (isPointer(field)) return kindOf(field).point!(field, idsGiven(value), (id) => this.#document(field.target, id), this.#declaration.kindContext)
    if (value === null) return field.shape === 'list' ? [] : null
    if (field.leaf) return Array.isArray(value) ? value.map((each) => storedValue(field.target, each)) : storedValue(field.target, value)
    const stored = new StoredObjects(before?.[propertyOf(field)])
    const inside = containedInputs(this.#declaration, field, value).map(({ shape, inner }, at) => ({ ...defaultsOf(shape), ...this.properties(shape, inner, stored.find(this.#declaration.model, shape, inner, at)) }))
    return field.shape === 'list' ? inside : (inside[0] ?? null)
  }
}

/** An input that GraphQL has not read may lack what a field has by default. */
function defaultsOf({ fields }: ObjectType): Body {
  return Object.fromEntries([...fields.values()].flatMap((field) => (field.default && 'at' in field.storage ? [[propertyOf(field), field.default.value]] : [])))
}

function idsGiven(value: unknown): string[] {
  return value === null ? [] : [...new Set(Array.isArray(value) ? (value as string[]) : [value as string])]
}
