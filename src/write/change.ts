// What one mutation does, in terms of document types and inputs: everything goes into a changeset, and
// nothing is written from here.

import type { GraphQLError } from 'graphql'
import type { Declaration } from '../relations/declaration.ts'
import { badInput, clientError } from '../errors.ts'
import { partitionText } from '../model/keys/key.ts'
import { newId } from '../model/keys/new-id.ts'
import { partitionFrom } from '../model/keys/partition.ts'
import { allFields, fieldAt, partitionProperties, storedPath, type DocumentType } from '../model/model.ts'
import { kindOf } from '../relations/index.ts'
import type { Part } from '../relations/kind.ts'
import type { Condition } from '../store/query.ts'
import type { Body } from '../model/json/json.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Changeset } from './changeset.ts'
import { deleteAll } from './deletion.ts'
import type { Effects } from './effects.ts'
import { checkId, isInfinite, propertiesFrom, type Input, type Targets } from './input.ts'
import type { Permission } from './permission.ts'

export class Change {
  readonly #declaration: Declaration
  readonly #effects: Effects
  readonly #changes: Changeset
  readonly #permission: Permission | undefined
  /** What can be pointed at: what is not there for whoever asks cannot. */
  readonly #targets: Targets

  /** Without a permission, everything may be done: it is asked for by nobody in particular. */
  constructor(declaration: Declaration, effects: Effects, changes: Changeset, permission?: Permission) {
    this.#declaration = declaration
    this.#effects = effects
    this.#changes = changes
    this.#permission = permission
    this.#targets = permission ? { read: async (wanted) => (await changes.read(wanted)).map((entry) => (entry && permission.sees(entry) ? entry : undefined)) } : changes
  }

  async create(typeName: string, input: Input): Promise<Entry> {
    const type = this.#type(typeName)
    const id = checkId(type, (input['id'] as string | null | undefined) ?? newId())
    const properties = await propertiesFrom(this.#declaration, type, { ...input, id }, this.#targets)
    const own = type.discriminator === undefined ? {} : { type: type.discriminator }
    const body = this.#effects.settle(type, { ...emptyLists(type), ...properties, ...own, id })
    this.#permission?.check(type, undefined, body)
    checkPlace(type, body)
    // An id that has just been made is nobody's, which the write asks for all the same.
    if (typeof input['id'] !== 'string') return this.#changes.put(type, body)
    await this.#checkFree(type, body)
    // Whoever chooses an id may choose one that others point at already.
    return this.#changes.put(type, await this.#effects.keepIn(type, body, this.#changes))
  }

  async update(typeName: string, input: Input & { readonly id: string }): Promise<Entry> {
    const type = this.#type(typeName)
    const found = await this.get(typeName, input.id)
    this.#permission?.check(type, found.after, undefined)
    checkMatch(type, found, input['ifMatch'])
    const properties = await propertiesFrom(this.#declaration, type, { ...input, id: undefined }, this.#targets)
    return this.change(typeName, found, properties)
  }

  /** Sets properties of a document that was read, without their going through an input. */
  change(typeName: string, found: Entry, properties: Body): Entry {
    const type = this.#type(typeName)
    // What is worked out of numbers that can be stored may be one that cannot.
    for (const name of Object.keys(properties)) if (isInfinite(properties[name])) throw badInput(`${name} of ${type.name} ${found.key.id} would be a number that is too large to be stored. Give smaller ones.`)
    const body = this.#effects.settle(type, { ...found.after, ...properties })
    this.#permission?.check(type, found.after, body)
    const partition = partitionFrom(type, body)
    if (partition && partitionText(partition) !== partitionText(found.key.partition)) {
      throw badInput(`${type.name} ${found.key.id} cannot change what its partition is made of. Delete it and create it anew.`)
    }
    return this.#changes.put(type, body, found)
  }

  async delete(typeName: string, input: { readonly id: string; readonly ifMatch?: unknown }): Promise<Entry> {
    const type = this.#type(typeName)
    const found = await this.get(typeName, input.id)
    this.#permission?.check(type, found.after, undefined)
    checkMatch(type, found, input.ifMatch)
    await deleteAll(this.#declaration, this.#effects, this.#changes, found, this.#permission)
    return found
  }

  /** One entry more in a list that grows for ever. */
  async append(coordinate: string, ownerId: string, entry: Input): Promise<Entry> {
    const field = fieldAt(this.#declaration.model, coordinate)
    const append = field && kindOf(field).append
    if (!append) throw new Error(`${coordinate} is no list that can be appended to.`)
    const owner = await this.get(field.owner, ownerId)
    this.#permission?.check(this.#type(field.owner), owner.after, owner.after)
    const contained = this.#declaration.model.contained.get(field.target)!
    const properties = await propertiesFrom(this.#declaration, contained, { id: newId(), ...entry }, this.#targets)
    const read = async (key: Entry['key']) => (await this.#changes.readAt(owner.container, key)).after
    const { owner: body, parts } = await append(field, owner.after!, properties, read, this.#declaration.model)
    for (const part of parts) await this.#putPart(owner.container, part)
    return this.#changes.put(this.#type(field.owner), body, owner)
  }

  /** A document as it is at this moment of the work. */
  async get(typeName: string, id: string): Promise<Entry> {
    const found = await this.#found(this.#type(typeName), id)
    if (!found?.after || this.#permission?.sees(found) === false) throw clientError('NOT_FOUND', `There is no ${typeName} ${id}.`)
    return found
  }

  /** The first document with this value in an indexed field. */
  async findBy(typeName: string, fieldName: string, value: string): Promise<Entry> {
    const type = this.#type(typeName)
    const field = type.fields.get(fieldName)
    const path = field && storedPath(field)
    if (!path) throw new Error(`${typeName}.${fieldName} is not stored.`)
    const asked: Condition = { op: 'eq', path, value }
    const where = this.#permission ? this.#permission.narrowed(type, asked) : asked
    const [found] = where ? await this.#changes.find(type, where, 1) : []
    if (!found) throw clientError('NOT_FOUND', `There is no ${typeName} whose ${fieldName} is ${value}.`)
    return found
  }

  async #putPart(container: string, { key, body }: Part): Promise<void> {
    const found = await this.#changes.readAt(container, key)
    if (found.after && found.after['type'] !== body['type']) throw taken(container, key.id)
    this.#changes.set({ ...found, after: body })
  }

  /** Neither a document of this type nor any other in the same place. */
  async #checkFree(type: DocumentType, body: Body): Promise<void> {
    const id = body['id'] as string
    const neighbours = allFields(this.#declaration.model).filter(({ owner }) => this.#declaration.model.documents.get(owner)?.container === type.container)
    if (neighbours.some((field) => kindOf(field).reserves?.(field, id))) throw badInput(`The id ${id} looks like that of a bucket. Choose another one.`)
    const found = await this.#found(type, id)
    if (found?.after && this.#permission?.sees(found) === false) throw clientError('CONFLICT', `The id ${id} cannot be used. Choose another one, or leave it out.`)
    if (found?.after) throw clientError('CONFLICT', `There is already a ${type.name} ${id}. Update it, or choose another id.`)
    const partition = type.discriminator === undefined ? undefined : partitionFrom(type, body)
    if (partition && (await this.#changes.readAt(type.container, { partition, id })).after) throw taken(type.container, id)
  }

  async #found(type: DocumentType, id: string): Promise<Entry | undefined> {
    return (await this.#changes.read([{ type, id }]))[0]
  }

  #type(name: string): DocumentType {
    const type = this.#declaration.model.documents.get(name)
    if (!type) throw new Error(`There is no document type ${name}.`)
    return type
  }
}

/** Lists that nobody gave are empty, not absent: what is stored has the shape that the articles show. */
export function emptyLists(type: DocumentType): Body {
  let empty = emptyListsOf.get(type)
  if (!empty) emptyListsOf.set(type, (empty = Object.fromEntries([...type.fields.values()].flatMap(({ shape, storage }) => (shape === 'list' && 'at' in storage ? [[storage.at, []]] : [])))))
  return empty
}

/** What follows from the type alone is worked out once. */
const emptyListsOf = new WeakMap<DocumentType, Body>()

function taken(container: string, id: string): GraphQLError {
  return clientError('CONFLICT', `The id ${id} is taken by another document in ${container}. Choose another one.`)
}

/** A document has to say where it belongs. */
export function checkPlace(type: DocumentType, body: Body): void {
  const missing = partitionProperties(type).filter((property) => body[property] === undefined || body[property] === null)
  if (missing.length > 0) throw badInput(`A ${type.name} needs ${missing.join(' and ')}: its partition is made of it.`)
}

function checkMatch(type: DocumentType, { key, etag }: Entry, ifMatch: unknown): void {
  if (typeof ifMatch !== 'string' || ifMatch === etag) return
  throw clientError('CONFLICT', `${type.name} ${key.id} has changed since you read it. Read it again and decide anew.`)
}
