// The interface of a relation kind. What is true of one kind only is in that kind's file; code outside
// `relations/` uses kinds through this interface.

import type { ListRequest } from '../read/list-request.ts'
import type { PlannedReads } from '../read/planned-reads.ts'
import type { Asker } from '../read/read-log.ts'
import type { Window } from '../read/listing.ts'
import type { Reads } from '../read/reads.ts'
import type { Storage } from '../model/storages.ts'
import type { DocumentType, Field, Model } from '../model/model.ts'
import type { MaybePending } from '../store/maybe-promise.ts'
import type { Path, Scalar } from '../store/query.ts'
import type { Key } from '../model/keys/key.ts'
import type { Body, Json } from '../model/json/json.ts'
import type { IndexLayout, StoredDocument } from '../store/store.ts'
import type { Maintenance, View } from './maintenance.ts'

export interface Kind<S extends Storage> {
  /** The problems of a declaration, as sentences that name the field and say what to write. */
  readonly check: (field: Field<S>, model: Model, derive: Derive) => string[]
  /** How values are read; prepared once, when the gateway starts. */
  readonly prepare: (field: Field<S>, context: KindContext) => Value | Relation
  /** The indexes that lookups need. */
  readonly indexes?: (field: Field<S>, model: Model) => ContainerIndex[]
  /** For a field that holds ids: what is stored for the ids that a client gives. */
  readonly point?: (field: Field<S>, ids: readonly string[], documentOf: (id: string) => Body, context: KindContext) => Json
  /** The document with this field made consistent with the rest of the same document. */
  readonly settle?: (field: Field<S>, body: Body, model: Model) => Body
  /** How changes of other documents reach what this field stores. */
  readonly maintain?: (field: Field<S>, context: KindContext) => Maintenance[]
  /** The document with this field as it should be, computed from the other documents alone. */
  readonly truth?: (field: Field<S>, body: Body, view: View, context: KindContext) => Promise<Body>
  /** For a list that entries are appended to: the owner and the parts that change with one more entry. */
  readonly append?: (field: Field<S>, owner: Body, entry: Body, read: ReadPart, model: Model) => Promise<{ owner: Body; parts: readonly Part[] }>
  /**
   * The same for many entries at once, given all existing parts: an entry whose id is in the list replaces that
   * one, and the others are added as the newest, in the given order.
   */
  readonly fill?: (field: Field<S>, owner: Body, parts: readonly Part[], entries: readonly Body[], model: Model) => { owner: Body; parts: readonly Part[] }
  /** Whether an id in the same container is reserved for such parts. */
  readonly reserves?: (field: Field<S>, id: string) => boolean
  /** The keys of the parts of a document, which are deleted with it. */
  readonly parts?: (field: Field<S>, owner: Body, model: Model) => Key[]
  /** A type for the parts, which no schema declares. They are partitioned by the id of their owner. */
  readonly partType?: (field: Field<S>, model: Model) => DocumentType
  /** The faults of a list and of all parts that name its owner, and how both should be. */
  readonly audit?: (field: Field<S>, owner: Body | undefined, parts: readonly Part[], model: Model) => Audit
  /** Advice from how it was used, in sentences with numbers. */
  readonly remark?: (field: Field<S>, usage: Usage) => string[]
}

/** How a relation was used in an hour. */
export interface Usage {
  /** How many operations asked for it. */
  readonly operations: number
  /** For how many holders. */
  readonly resolved: number
  /** For how many of them its length was asked for, and for how many a page. */
  readonly counted: number
  readonly paged: number
  /** How many documents were read for it by key. */
  readonly documents: number
  /** How many documents were written to keep it in sync. */
  readonly rewritten: number
  /** How often entries were added, removed or moved elsewhere. */
  readonly sourceChanges: number
  /** The size of a document that has the field. */
  readonly holderBytes: number
  /** All fields of the type that has it. */
  readonly siblings: readonly Field[]
}

/** A document that is part of another one, in the same container and partition. */
export interface Part {
  readonly key: Key
  readonly body: Body
}

export interface Audit {
  readonly wrong: readonly {
    readonly kind: 'misplaced' | 'miscounted'
    /** The `Type.field` that is wrong. */
    readonly at: string
    /** The fault, and what repair does, to be read after `Type.field of id`. */
    readonly what: string
  }[]
  readonly owner: Body | undefined
  readonly parts: readonly Part[]
}

export type ReadPart = (key: Key) => Promise<Body | undefined>

/** A value in its document: nothing has to be chosen or read. */
export interface Value {
  readonly value: (holder: Body) => unknown
  /** The property, where the value is exactly that property; a missing one is null. */
  readonly property?: string
  /** The reads of a resolver that answers in its place. */
  readonly resolverReads?: (window: Window) => PlannedReads
}

/** The documents for many holders. */
export interface LookedUpLevel {
  /** By slot. Documents of other relations may be in between. */
  readonly documents: readonly (StoredDocument | undefined)[]
  /** The slots of all documents of these holders, each once. */
  readonly distinct: readonly number[]
  /** For one holder after the other, the slots of what it points at. */
  readonly places: readonly number[]
  /** How many of `places` belong to each holder. */
  readonly lengths: readonly number[]
}

/** A value that is looked up in the store, unless the holder's snapshot is enough. */
export interface Relation {
  /** The fields of the target that the snapshot has; absent where there is no snapshot. */
  readonly copied?: ReadonlySet<string>
  /** The answer from the snapshot. */
  readonly copy?: (holder: Body) => unknown
  /** The bodies of the snapshots, where the answer consists of snapshots. */
  readonly copies?: (holder: Body) => readonly Body[]
  /** Logs the reads that the snapshot saved. */
  readonly spare?: (holder: Body, reads: Reads, asker: Asker) => void
  /** The answer from the store: documents, a number, or for a connection a Listing, of which an operation may ask for a part. */
  readonly lookUp: (holder: Body, reads: Reads, asker: Asker, asked?: ListRequest) => unknown
  /** The documents for all holders of a level at once, where the relation points at documents. */
  readonly lookUpAll?: (holders: readonly Body[], reads: Reads) => MaybePending<LookedUpLevel>
  /** For stores whose documents are in this process: the type of the documents that a holder points at, and their ids. */
  readonly points?: { readonly target: DocumentType; readonly ids: (holder: Body) => readonly string[] }
  /** The answer from the store, where `lookUp` starts from a maintained list and that may be too old. */
  readonly fresh?: (holder: Body, reads: Reads, asker: Asker, asked?: ListRequest) => unknown
  /** The reads that `lookUp` will send; for a connection, those for this page. */
  readonly plannedReads: (window: Window, asked?: ListRequest) => PlannedReads
  /** The reads that `fresh` will send. */
  readonly plannedFreshReads?: () => PlannedReads
  /** The number of entries, where that takes a read. */
  readonly count?: (holder: Body, reads: Reads, asker: Asker) => MaybePending<number>
  /** What the count counts: the documents of a type that have this holder's id at a path. */
  readonly countedBy?: {
    readonly source: DocumentType
    readonly path: Path
    /** The ids of the holders that a document counts for. */
    readonly idsIn: (source: Body) => string[]
    /** A holder's id as it is stored at the path. */
    readonly value: (id: string) => Scalar
  }
  /** Why the snapshot cannot answer yet, where some stored documents do not have it. */
  readonly incompleteReason?: string
  /** Why it is looked up, where there is no snapshot to choose. */
  readonly lookupReason: string
}

/** What kinds need to prepare and maintain fields. */
export interface KindContext {
  readonly model: Model
  readonly derive: Derive
  /** How another field is read. */
  readonly prepared: (field: Field) => Value | Relation
}

/**
 * The functions behind `@derived` fields: `derive.Person.fullName(document)`.
 *
 * @example
 * ```ts
 * const derive: Derive = { Person: { fullName: ({ firstName, lastName }) => `${firstName} ${lastName}` } }
 * ```
 */
export interface Derive {
  readonly [type: string]: { readonly [field: string]: DeriveFunction } | undefined
}

/** Declared as a method, whose parameter may be narrower: the document as `quire codegen` writes its type. */
type DeriveFunction = { derive(document: Body): unknown }['derive']

export interface ContainerIndex extends IndexLayout {
  readonly container: string
}

/** A snapshot in place of its document. The properties of its body have the names of the target's fields. */
export class Copy {
  readonly body: Body
  /** The document that it is in, noted where GraphQL.js makes an answer: errors name it. */
  holder: { readonly type: string; readonly id: string } | undefined

  constructor(body: Body) {
    this.body = body
  }
}
