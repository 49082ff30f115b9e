// `quire` in the context of one call of one of the schema's own resolvers.

import { coerceInputValue, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql'
import type { Viewer } from '../../auth/viewer.ts'
import { badInput } from '../../graphql-errors.ts'
import type { Cursors } from '../../model/keys/cursor.ts'
import type { DocumentType } from '../../model/model.ts'
import { didYouMean } from '../../model/sdl/suggest-name.ts'
import type { ListArguments, PageSizes } from '../../plan/field-arguments.ts'
import type { PlanNode } from '../../plan/plan.ts'
import type { Asker } from '../../read/read-log.ts'
import type { Reads } from '../../read/reads.ts'
import type { Declaration } from '../../relations/declaration.ts'
import type { MaybePending } from '../../store/maybe-promise.ts'
import type { StoredDocument } from '../../store/store.ts'
import type { Mutate } from '../../write/mutations.ts'
import { Connection, rootListing } from '../relay-connection.ts'
import type { DocumentPage, DocumentQuery, ResolverContext } from './resolver-context.ts'

/** What is the same for all calls. */
export interface OwnCodeParts {
  readonly declaration: Declaration
  readonly schema: GraphQLSchema
  readonly cursors: Cursors
  readonly pageSizes: PageSizes
}

/** `quire` in the context of an operation. */
export interface OperationQuire {
  readonly reads: Reads
  readonly viewer: Viewer | undefined
  readonly mutate: Mutate
  readonly changes: ResolverContext['quire']['changes']
}

export class FieldContext implements Pick<ResolverContext['quire'], 'load' | 'loadMany' | 'query' | 'viewer'> {
  readonly mutate: Mutate
  readonly changes: OperationQuire['changes']
  readonly #lists: OwnLists
  readonly #context: { readonly quire: OperationQuire }
  readonly #info: GraphQLResolveInfo
  /** How many reads of this call had to be answered before the next one. */
  #answered = 0
  /** How many documents it has read by themselves. */
  #alone = 0

  constructor(lists: OwnLists, context: { readonly quire: OperationQuire }, info: GraphQLResolveInfo) {
    this.mutate = context.quire.mutate
    this.changes = context.quire.changes
    this.#lists = lists
    this.#context = context
    this.#info = info
  }

  get viewer(): Viewer | undefined {
    // Whatever is read of the request makes the answer to an event this subscriber's own.
    void (this.#context as { readonly params?: unknown }).params
    return this.#context.quire.viewer
  }

  async load(typeName: string, id: string, key?: Readonly<Record<string, string | number>>): Promise<StoredDocument | undefined> {
    const type = this.#lists.type(typeName)
    const { reads } = this.#context.quire
    const found = await this.#answer((asker) => reads.document(type, id, asker, key))
    this.#alone++
    reads.readLog?.readOneByOne(`${this.#info.parentType.name}.${this.#info.fieldName}`, Math.min(this.#alone, this.#answered))
    return found
  }

  async loadMany(typeName: string, ids: readonly string[]): Promise<(StoredDocument | undefined)[]> {
    const type = this.#lists.type(typeName)
    return [...await this.#answer((asker) => this.#context.quire.reads.documents(type, ids, asker))]
  }

  query(typeName: string, args: DocumentQuery = {}): DocumentPage {
    return this.#lists.page(this.#lists.type(typeName), args, this.#context.quire.reads, this.#asker()) as unknown as DocumentPage
  }

  async #answer<T>(read: (asker: Asker) => MaybePending<T>): Promise<T> {
    const asker = this.#asker()
    const value = await read(asker)
    this.#answered = Math.max(this.#answered, asker.stage + 1)
    return value
  }

  #asker(): Asker {
    return { field: `${this.#info.parentType.name}.${this.#info.fieldName}`, place: this.#info.path, stage: this.#answered }
  }
}

/** The lists that own code may ask for. */
export class OwnLists {
  readonly #parts: OwnCodeParts
  readonly #listings = new Map<DocumentType, ReturnType<typeof rootListing>>()

  constructor(parts: OwnCodeParts) {
    this.#parts = parts
  }

  type(name: string): DocumentType {
    const { documents } = this.#parts.declaration.model
    const type = documents.get(name)
    if (!type) throw new TypeError(`${JSON.stringify(name)} is no type with @document.${didYouMean(name, [...documents.keys()])}`)
    return type
  }

  page(type: DocumentType, { filter, orderBy, ...page }: DocumentQuery, reads: Reads, asker: Asker): Connection {
    let listing = this.#listings.get(type)
    if (!listing) this.#listings.set(type, (listing = rootListing(type, this.#parts.declaration)))
    const args = { filter: this.#coerced(type, 'filter', filter), orderBy: this.#coerced(type, 'orderBy', orderBy) } as ListArguments
    return new Connection(listing(args, reads, asker, inOwnCode), { args: page, sizes: this.#parts.pageSizes, cursors: this.#parts.cursors, peek: true })
  }

  /** As GraphQL coerces what clients give, so that a misspelt field is an error and not a filter that filters nothing. */
  #coerced(type: DocumentType, name: string, given: unknown): unknown {
    if (given === undefined || given === null) return undefined
    const argument = this.#parts.schema.getQueryType()?.getFields()[type.plural]?.args.find((each) => each.name === name)
    if (!argument) throw new TypeError(`${type.name} has no indexed field, so its lists have no ${name}. Declare one @indexed.`)
    return coerceInputValue(given, argument.type, (path, _, error) => {
      throw badInput(`quire.query("${type.name}"): ${[name, ...path].join('.')}: ${error.message}`)
    })
  }
}

/** Copies answer what a filter says of related documents, if they can: own code has no `@read` above it. */
const inOwnCode = { filtering: undefined } as PlanNode
