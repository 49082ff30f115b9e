// Writing documents: what is given is checked and assembled, what follows from it is worked out, and
// everything is written as one.

import { randomUUID } from 'node:crypto'
import type { Declaration } from '../declaration.ts'
import { clientError } from '../errors.ts'
import { fieldAt, storedPath, type DocumentType } from '../model/model.ts'
import { kindOf } from '../relations/index.ts'
import type { Body, Meter, Store, StoredDocument } from '../store/store.ts'
import { Changeset, type Entry } from './changeset.ts'
import { deleteAll } from './deletion.ts'
import { Effects } from './effects.ts'
import { checkId, propertiesFrom, type Input } from './input.ts'

/** What one mutation does: it reads and changes through the changeset, and answers with entries of it. */
export type Work<T> = (change: Change) => Promise<T>

export class Writer {
  readonly #declaration: Declaration
  readonly #store: Store
  readonly #effects: Effects

  constructor(declaration: Declaration, store: Store) {
    this.#declaration = declaration
    this.#store = store
    this.#effects = new Effects(declaration)
  }

  /** Runs the work and writes what it changed together with all that follows. If anything fails, nothing is written. */
  async write<T extends Record<string, Entry>>(work: Work<T>, meter?: Meter): Promise<{ [K in keyof T]: StoredDocument }> {
    let worked: T | undefined
    let changes = new Changeset(this.#store, meter)
    const etags = await this.#store.atomically(async () => {
      changes = new Changeset(this.#store, meter)
      worked = await work(new Change(this.#declaration, this.#effects, changes))
      await this.#effects.follow(changes)
      return changes.writes()
    }, meter)
    const byKey = new Map(changes.writes().map(({ key }, index) => [key, etags[index]!]))
    const answered = Object.entries(worked!).map(([name, entry]) => [name, documentOf(changes.pending(entry) ?? entry, byKey)])
    return Object.fromEntries(answered) as { [K in keyof T]: StoredDocument }
  }
}

/** The changes that one mutation makes, in terms of document types and inputs. */
export class Change {
  readonly #declaration: Declaration
  readonly #effects: Effects
  readonly #changes: Changeset

  constructor(declaration: Declaration, effects: Effects, changes: Changeset) {
    this.#declaration = declaration
    this.#effects = effects
    this.#changes = changes
  }

  async create(typeName: string, input: Input): Promise<Entry> {
    const type = this.#type(typeName)
    const id = checkId(type, (input['id'] as string | null | undefined) ?? randomUUID())
    const properties = await propertiesFrom(this.#declaration, type, { ...input, id }, this.#changes)
    const own = type.discriminator === undefined ? {} : { type: type.discriminator }
    const body = this.#effects.settle(type, { ...emptyLists(type), ...properties, ...own, id })
    if ((await this.#found(type, id))?.after) throw clientError('CONFLICT', `There is already a ${type.name} ${id}. Update it, or choose another id.`)
    return this.#changes.put(type, body)
  }

  async update(typeName: string, input: Input & { readonly id: string }): Promise<Entry> {
    const type = this.#type(typeName)
    const found = await this.get(typeName, input.id)
    checkMatch(type, found, input['ifMatch'])
    const properties = await propertiesFrom(this.#declaration, type, { ...input, id: undefined }, this.#changes)
    return this.change(typeName, found, properties)
  }

  /** Sets properties of a document that was read, without their going through an input. */
  change(typeName: string, found: Entry, properties: Body): Entry {
    const type = this.#type(typeName)
    return this.#changes.put(type, this.#effects.settle(type, { ...found.after, ...properties }), found)
  }

  async delete(typeName: string, input: { readonly id: string; readonly ifMatch?: unknown }): Promise<Entry> {
    const type = this.#type(typeName)
    const found = await this.get(typeName, input.id)
    checkMatch(type, found, input.ifMatch)
    await deleteAll(this.#declaration, this.#changes, [found])
    return found
  }

  /** One entry more in a list that grows for ever. */
  async append(coordinate: string, ownerId: string, entry: Input): Promise<Entry> {
    const field = fieldAt(this.#declaration.model, coordinate)
    const append = field && kindOf(field).append
    if (!append) throw new Error(`${coordinate} is no list that can be appended to.`)
    const owner = await this.get(field.owner, ownerId)
    const contained = this.#declaration.model.contained.get(field.target)!
    const properties = await propertiesFrom(this.#declaration, contained, { id: randomUUID(), ...entry }, this.#changes)
    const read = async (key: Entry['key']) => (await this.#changes.readAt(owner.container, key)).after
    const { owner: body, part } = await append(field, owner.after!, properties, read, this.#declaration.model)
    if (part) this.#changes.set({ ...(await this.#changes.readAt(owner.container, part.key)), after: part.body })
    return this.#changes.put(this.#type(field.owner), body, owner)
  }

  /** A document as it is at this moment of the work. */
  async get(typeName: string, id: string): Promise<Entry> {
    const found = await this.#found(this.#type(typeName), id)
    if (!found?.after) throw clientError('NOT_FOUND', `There is no ${typeName} ${id}.`)
    return found
  }

  /** The first document with this value in an indexed field. */
  async findBy(typeName: string, fieldName: string, value: string): Promise<Entry> {
    const type = this.#type(typeName)
    const field = type.fields.get(fieldName)
    const path = field && storedPath(field)
    if (!path) throw new Error(`${typeName}.${fieldName} is not stored.`)
    const [found] = await this.#changes.find(type, { op: 'eq', path, value }, 1)
    if (!found) throw clientError('NOT_FOUND', `There is no ${typeName} whose ${fieldName} is ${value}.`)
    return found
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
function emptyLists(type: DocumentType): Body {
  return Object.fromEntries([...type.fields.values()].flatMap(({ shape, storage }) => (shape === 'list' && 'at' in storage ? [[storage.at, []]] : [])))
}

function checkMatch(type: DocumentType, { key, etag }: Entry, ifMatch: unknown): void {
  if (typeof ifMatch !== 'string' || ifMatch === etag) return
  throw clientError('CONFLICT', `${type.name} ${key.id} has changed since you read it. Read it again and decide anew.`)
}

function documentOf(entry: Entry, etags: ReadonlyMap<Entry['key'], string>): StoredDocument {
  const body = entry.after ?? entry.before!
  return { key: entry.key, etag: etags.get(entry.key) || entry.etag || '', body, bytes: Buffer.byteLength(JSON.stringify(body)) }
}
