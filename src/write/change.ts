// The operations that a mutation has: create, update, upsert, delete, append, get and find, by document type and input. They
// fill a changeset; the writer stores it.

import type { GraphQLError } from 'graphql'
import type { Declaration } from '../relations/declaration.ts'
import { badInput, clientError } from '../graphql-errors.ts'
import { partitionText } from '../model/keys/key.ts'
import { newId } from '../model/keys/new-id.ts'
import { partitionFrom } from '../model/keys/partition.ts'
import { fieldAt, partitionProperties, storedPath, type DocumentType } from '../model/model.ts'
import { isOfType } from '../read/selection.ts'
import { kindOf } from '../relations/kinds.ts'
import type { Part } from '../relations/kind.ts'
import { matches } from '../store/conditions.ts'
import type { Condition } from '../store/query.ts'
import type { Body, StoredTypes } from '../model/json/json.ts'
import type { Entry, FoundEntry } from '../relations/maintenance.ts'
import type { Changeset } from './changeset.ts'
import { deleteCascading } from './deletion.ts'
import type { Effects } from './effects.ts'
import type { KnownDocuments } from './units/known-documents.ts'
import { checkConstraint, checkId, isInfinite } from './input/check-input.ts'
import { withIncrements } from './input/increments.ts'
import { namedIn, propertiesFrom, type Input, type Targets } from './input/input.ts'
import { checkNeededLists, checkPartitionKey, isReservedId, newBody } from './input/new-document.ts'
import type { Permission } from './permission.ts'
import { findReserved } from './unique/reservations.ts'

/**
 * Creates, changes and deletes documents in one unit of work; snapshots, lists and counts follow.
 *
 * @example
 * ```ts
 * quire.mutate(input, info, async (change: Change) => {
 *   const post = await change.get('Post', input.postId)
 *   return { post: change.change('Post', post, { closed: true }) }
 * })
 * ```
 */
export class Change<Types extends StoredTypes = StoredTypes> {
  readonly #declaration: Declaration
  readonly #effects: Effects
  readonly #changes: Changeset
  readonly #permission: Permission | undefined
  /** Viewers cannot reference documents that they cannot see. */
  readonly #targets: Targets

  /** Without a permission, nothing is forbidden. */
  /** @internal */
  constructor(declaration: Declaration, effects: Effects, changes: Changeset, permission?: Permission) {
    this.#declaration = declaration
    this.#effects = effects
    this.#changes = changes
    this.#permission = permission
    this.#targets = permission ? { read: async (wanted) => (await changes.read(wanted)).map((entry) => (entry && permission.sees(entry) ? entry : undefined)) } : changes
  }

  async create<T extends keyof Types & string>(typeName: T, input: Input): Promise<Entry<Types[T]>> {
    return (await this.#create(this.#type(typeName), input)) as Entry<Types[T]>
  }

  async #create(type: DocumentType, input: Input): Promise<Entry> {
    const id = checkId(type, (input['id'] as string | null | undefined) ?? newId())
    const properties = await propertiesFrom(this.#declaration, type, { ...input, id }, this.#targets)
    const body = this.#effects.settle(type, newBody(type, id, properties))
    this.#permission?.check(type, undefined, body)
    checkPartitionKey(type, body)
    checkNeededLists(type, body)
    // A generated id is unique, so nothing is read for it; the write still requires that it is absent.
    if (typeof input['id'] !== 'string') return this.#changes.putNew(type, body)
    await this.#checkFree(type, body)
    // Other documents may reference a chosen id already, so its inverse lists and counts need not start empty.
    return this.#changes.put(type, await this.#effects.withListsAndCounts(type, body, this.#changes))
  }

  async update<T extends keyof Types & string>(typeName: T, input: Input & { readonly id: string }): Promise<Entry<Types[T]>> {
    const type = this.#type(typeName)
    if (input['increment']) await this.#changes.takeTurn(type, input.id)
    const found = await this.#only(typeName, input)
    this.#permission?.check(type, found.after, undefined)
    checkMatch(type, found, input['ifMatch'])
    const given = withIncrements(type, found.after, input)
    const properties = await propertiesFrom(this.#declaration, type, { ...given, id: undefined }, this.#targets, found.after)
    return this.change(typeName, found, properties as Partial<Types[T]>)
  }

  /** Updates the document with this id, or creates it. A new document has no `before`. */
  async upsert<T extends keyof Types & string>(typeName: T, input: Input & { readonly id: string }): Promise<Entry<Types[T]>> {
    const found = await this.#found(this.#type(typeName), input.id)
    // An id whose document the viewer cannot see is refused as one that is taken.
    return found?.after && this.#permission?.sees(found) !== false ? this.update(typeName, input) : this.create(typeName, input)
  }

  /** Sets stored properties of a document that was read, without an input. */
  change<T extends keyof Types & string>(typeName: T, found: Entry, properties: Partial<Types[T]>): Entry<Types[T]> {
    const type = this.#type(typeName)
    // A sum or product of numbers that can be stored may overflow.
    for (const name of Object.keys(properties)) if (isInfinite(properties[name])) throw badInput(`${name} of ${type.name} ${found.key.id} cannot be stored: the number would be too large. Give smaller ones.`)
    for (const field of type.fields.values()) if (field.constraint && 'at' in field.storage && properties[field.storage.at] !== undefined) checkConstraint(field, properties[field.storage.at], [field.name])
    const body = this.#effects.settle(type, { ...found.after, ...properties })
    this.#permission?.check(type, found.after, body)
    const partition = partitionFrom(type, body)
    // A random suffix cannot be computed again, but what it is added to must stay.
    if (partition ? partitionText(partition) !== partitionText(found.key.partition) : partitionProperties(type).some((property) => body[property] !== found.after?.[property])) {
      throw badInput(`${type.name} ${found.key.id} cannot move to another partition: ${partitionProperties(type).join(' and ')} cannot change. Delete it and create it again.`)
    }
    return this.#changes.put(type, body, found) as Entry<Types[T]>
  }

  async delete<T extends keyof Types & string>(typeName: T, input: { readonly id: string; readonly ifMatch?: unknown }): Promise<Entry<Types[T]>> {
    const type = this.#type(typeName)
    const found = await this.#only(typeName, input)
    this.#permission?.check(type, found.after, undefined)
    checkMatch(type, found, input.ifMatch)
    await deleteCascading(this.#declaration, this.#effects, this.#changes, found, this.#permission)
    return found
  }

  /** Adds an entry to a bucketed list. */
  async append(coordinate: string, ownerId: string, entry: Input): Promise<Entry> {
    const field = fieldAt(this.#declaration.model, coordinate)
    const append = field && kindOf(field).append
    if (!append) throw new Error(`Cannot append to ${coordinate}: it is not a @bucketed list. Name a field that is.`)
    const owner = await this.get(field.owner, ownerId)
    this.#permission?.check(this.#type(field.owner), owner.after, owner.after)
    const contained = this.#declaration.model.contained.get(field.target)!
    const properties = await propertiesFrom(this.#declaration, contained, { id: newId(), ...entry }, this.#targets)
    const read = async (key: Entry['key']) => (await this.#changes.readAt(owner.container, key)).after
    const { owner: body, parts } = await append(field, owner.after, properties, read, this.#declaration.model)
    for (const part of parts) await this.#putPart(owner.container, part)
    return this.#changes.put(this.#type(field.owner), body, owner)
  }

  /**
   * Reads what these inputs name in one wave: the documents themselves, and those that they reference. What is written for each of them
   * then reads nothing of it again; \`known\` takes it to another unit of work.
   */
  /** @internal */
  async readAhead(typeName: string, inputs: readonly Input[], creates: boolean, known?: KnownDocuments): Promise<KnownDocuments> {
    const type = this.#type(typeName)
    // A guarded write finds out itself whether the id of a new document is free.
    const own = new Set(creates && this.#changes.guardsIds ? inputs.map(({ id }) => id) : [])
    const asks = (wanted: { readonly type: DocumentType; readonly id: string }): boolean => wanted.type !== type || !own.has(wanted.id)
    if (known) this.#changes.startFrom(known)
    else await this.#changes.read(namedIn(this.#declaration, type, inputs).filter(asks))
    return this.#changes.known
  }

  /** A document with the changes made so far. */
  async get<T extends keyof Types & string>(typeName: T, id: string): Promise<FoundEntry<Types[T]>> {
    const found = await this.#found(this.#type(typeName), id)
    if (!found?.after || this.#permission?.sees(found) === false) throw clientError('NOT_FOUND', `There is no ${typeName} ${id}.`)
    return found as FoundEntry<Types[T]>
  }

  /** The first document with this value in an indexed field. */
  async findBy<T extends keyof Types & string>(typeName: T, fieldName: string, value: string): Promise<FoundEntry<Types[T]>> {
    const type = this.#type(typeName)
    const field = type.fields.get(fieldName)
    const path = field && storedPath(field)
    if (!path) throw new Error(`Cannot find by ${typeName}.${fieldName}: it is not a stored field. Name one that is.`)
    const asked: Condition = { op: 'eq', path, value }
    const where = this.#permission ? this.#permission.narrowed(type, asked) : asked
    const reserved = where && (await findReserved(this.#changes, type, fieldName, value))
    const [found] = where && reserved?.after && matches(where, reserved.after) ? [reserved] : where ? await this.#changes.find(type, where, 1) : []
    if (!found) throw clientError('NOT_FOUND', `There is no ${typeName} whose ${fieldName} is ${value}.`)
    return found as FoundEntry<Types[T]>
  }

  async #putPart(container: string, { key, body }: Part): Promise<void> {
    const found = await this.#changes.readAt(container, key)
    if (found.after && found.after['type'] !== body['type']) throw taken(container, key.id)
    this.#changes.set({ ...found, after: body })
  }

  /**
   * Refuses an id that this type, a bucket, or another type in the same partition uses. Where a store writes each partition on its own and
   * the partition is known, the write itself finds out, and other partitions are not asked.
   */
  async #checkFree(type: DocumentType, body: Body): Promise<void> {
    const id = body['id'] as string
    if (isReservedId(this.#declaration.model, type, id)) throw badInput(`The id ${id} is reserved: buckets have ids like it. Choose another one.`)
    const partition = partitionFrom(type, body)
    if (partition && this.#changes.guardsIds) return this.#checkFreeAt(type, await this.#changes.readUnlessGuarded(type, { partition, id }))
    this.#checkFreeAt(type, await this.#found(type, id))
    if (partition && type.discriminator !== undefined) this.#checkFreeAt(type, await this.#changes.readAt(type.container, { partition, id }))
  }

  #checkFreeAt(type: DocumentType, found: Entry | undefined): void {
    if (!found?.after) return
    const { id } = found.key
    if (!isOfType(type, found.after)) throw taken(type.container, id)
    if (this.#permission?.sees({ ...found, type }) === false) throw clientError('CONFLICT', `The id ${id} cannot be used. Choose another one, or omit it.`)
    throw clientError('CONFLICT', `${type.name} ${id} already exists. Update it, or choose another id.`)
  }

  /** The document to change. Of several with the same id in different partitions, the one that `ifMatch` names. */
  async #only<T extends keyof Types & string>(typeName: T, { id, ifMatch }: { readonly id: string; readonly ifMatch?: unknown }): Promise<FoundEntry<Types[T]>> {
    const found = await this.get(typeName, id)
    const same = this.#changes.sameId(this.#type(typeName), id).filter((each) => this.#permission?.sees(each) !== false)
    if (same.length <= 1) return found
    const [match, ...others] = same.filter(({ etag }) => etag === ifMatch)
    if (match && others.length === 0) return (this.#changes.pending(match) ?? match) as FoundEntry<Types[T]>
    throw clientError('CONFLICT', `${same.length} documents of type ${typeName} have the id ${id}, in different partitions. Give ifMatch to name one of them, and another id to the others.`)
  }

  async #found(type: DocumentType, id: string): Promise<Entry | undefined> {
    return (await this.#changes.read([{ type, id }]))[0]
  }

  #type(name: string): DocumentType {
    const type = this.#declaration.model.documents.get(name)
    if (!type) throw new Error(`There is no document type ${name}. Name one of ${[...this.#declaration.model.documents.keys()].join(', ')}.`)
    return type
  }
}

function taken(container: string, id: string): GraphQLError {
  return clientError('CONFLICT', `The id ${id} is taken by another document in ${container}. Choose another one.`)
}

function checkMatch(type: DocumentType, { key, etag }: Entry, ifMatch: unknown): void {
  if (typeof ifMatch !== 'string' || ifMatch === etag) return
  throw clientError('CONFLICT', `${type.name} ${key.id} has changed since you read it. Read it again, then retry.`)
}
