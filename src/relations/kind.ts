// What a way of storing has to say about itself. Everything that is true of one kind only is in
// that kind's file; everything outside `relations/` speaks to kinds through this page.

import type { PlannedReads } from '../read/planned-reads.ts'
import type { Asker } from '../read/read-log.ts'
import type { Window } from '../read/listing.ts'
import type { Reads } from '../read/reads.ts'
import type { Storage } from '../model/storages.ts'
import type { DocumentType, Field, Model } from '../model/model.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'
import type { Path, Scalar } from '../store/query.ts'
import type { Key } from '../model/keys/key.ts'
import type { Body, Json } from '../model/json/json.ts'
import type { IndexLayout, StoredDocument } from '../store/store.ts'
import type { Maintenance, View } from './maintenance.ts'

export interface Kind<S extends Storage> {
  /** What is wrong with the declaration, as sentences that name the field and say what to write. */
  readonly check: (field: Field<S>, model: Model, derive: Derive) => string[]
  /** How values are found, prepared once when the gateway starts. */
  readonly prepare: (field: Field<S>, tools: Tools) => Value | Relation
  /** What stores have to index so that looking up stays cheap. */
  readonly indexes?: (field: Field<S>, model: Model) => ContainerIndex[]
  /** For a field that holds ids of documents: what is kept for ids that are given. */
  readonly point?: (field: Field<S>, ids: readonly string[], documentOf: (id: string) => Body, tools: Tools) => Json
  /** What has to be true within one document, made true. */
  readonly settle?: (field: Field<S>, body: Body, model: Model) => Body
  /** How changes of other documents reach what this field keeps. */
  readonly maintain?: (field: Field<S>, tools: Tools) => Maintenance[]
  /** The document with what this field keeps as it ought to be, worked out from the other documents alone. */
  readonly truth?: (field: Field<S>, body: Body, view: View, tools: Tools) => Promise<Body>
  /** For a list that is appended to: the owner and whatever else changes with one entry more. */
  readonly append?: (field: Field<S>, owner: Body, entry: Body, read: ReadPart, model: Model) => Promise<{ owner: Body; parts: readonly Part[] }>
  /**
   * The same for many entries at once, given all parts that there are: an entry whose id is in the list already
   * takes that one's place, the others become the newest in the order in which they are given.
   */
  readonly fill?: (field: Field<S>, owner: Body, parts: readonly Part[], entries: readonly Body[], model: Model) => { owner: Body; parts: readonly Part[] }
  /** Whether an id in the same container is one that such parts have. */
  readonly reserves?: (field: Field<S>, id: string) => boolean
  /** What belongs to a document without being of any type, and goes when it goes. */
  readonly parts?: (field: Field<S>, owner: Body, model: Model) => Key[]
  /** The parts as documents of a type that no schema declares. They are partitioned by the id of their owner. */
  readonly partType?: (field: Field<S>, model: Model) => DocumentType
  /** What is wrong with a list and all parts that name its owner, and how both ought to be. */
  readonly audit?: (field: Field<S>, owner: Body | undefined, parts: readonly Part[], model: Model) => Audit
  /** What can be said of it from how it was used, in sentences with the numbers in them. */
  readonly remark?: (field: Field<S>, usage: Usage) => string[]
}

/** How a relation was used in an hour. */
export interface Usage {
  /** In how many operations it was asked for. */
  readonly operations: number
  /** For how many holders. */
  readonly resolved: number
  /** For how many of them its length was asked for, or a page of it. */
  readonly counted: number
  readonly paged: number
  /** How many documents were read for it by key. */
  readonly documents: number
  /** How many documents were written to keep it true. */
  readonly rewritten: number
  /** How often entries were added, taken away or moved elsewhere. */
  readonly sourceChanges: number
  /** What a document that has the field weighs. */
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
    /** `Type.field` of what is wrong. */
    readonly at: string
    /** What is wrong with it, and what repair does, to be read after `Type.field of id`. */
    readonly what: string
  }[]
  readonly owner: Body | undefined
  readonly parts: readonly Part[]
}

export type ReadPart = (key: Key) => Promise<Body | undefined>

/** A value that is in its document: there is nothing to choose and nothing to read. */
export interface Value {
  readonly value: (holder: Body) => unknown
  /** The property that it is, where it is no more than that; a missing one is null. */
  readonly property?: string
}

/** What was looked up for many holders. */
export interface Gathered {
  /** By place. There may be others in between that were looked up for someone else. */
  readonly documents: readonly (StoredDocument | undefined)[]
  /** The places of all that was looked up, each once. */
  readonly distinct: readonly number[]
  /** For one holder after the other, the places of what it points at. */
  readonly places: readonly number[]
  /** How many of the places belong to each holder. */
  readonly lengths: readonly number[]
}

/** A value that has to be looked up, unless this side has a copy that will do. */
export interface Relation {
  /** The fields of the target that are copied here; absent where there is no copy to answer from. */
  readonly copied?: ReadonlySet<string>
  /** The answer from the copy. */
  readonly copy?: (holder: Body) => unknown
  /** The bodies of the copies that it is made of, where it is made of copies. */
  readonly copies?: (holder: Body) => readonly Body[]
  /** Tells the readLog what the copy made unnecessary to read. */
  readonly spare?: (holder: Body, reads: Reads, asker: Asker) => void
  /** The answer from the store: documents, a number, or for a connection a Listing. */
  readonly look: (holder: Body, reads: Reads, asker: Asker) => unknown
  /** The documents for all holders of a level at once, where the relation points at documents. */
  readonly lookAll?: (holders: readonly Body[], reads: Reads) => MaybePromise<Gathered>
  /** The same for whoever can look for documents one by one: of which type they are, and their ids. */
  readonly points?: { readonly target: DocumentType; readonly ids: (holder: Body) => readonly string[] }
  /** The answer from the store where `look` starts from something that is itself a copy, and copies are too old. */
  readonly fresh?: (holder: Body, reads: Reads, asker: Asker) => unknown
  /** What `look` will ask of the store, told before there is a holder; for a connection, for this page of it. */
  readonly asks: (window: Window) => PlannedReads
  /** The same of `fresh`. */
  readonly asksFresh?: () => PlannedReads
  /** How many there are, where that has to be looked up. */
  readonly count?: (holder: Body, reads: Reads, asker: Asker) => MaybePromise<number>
  /** What is counted: the documents of a type that have this holder's id at a path. */
  readonly countedBy?: {
    readonly source: DocumentType
    readonly path: Path
    /** The ids of the holders that a document counts for. */
    readonly idsIn: (source: Body) => string[]
    /** A holder's id as it is stored at the path. */
    readonly value: (id: string) => Scalar
  }
  /** Why what is kept cannot answer yet, where the store does not have it everywhere. */
  readonly notYet?: string
  /** Why it is looked up, where there was nothing to choose. */
  readonly because: string
}

export interface Tools {
  readonly model: Model
  readonly derive: Derive
  /** How another field was prepared. */
  readonly prepared: (field: Field) => Value | Relation
}

/** The functions behind `@derived` fields: `derive.Person.fullName(document)`. */
export interface Derive {
  readonly [type: string]: { readonly [field: string]: (document: Body) => unknown } | undefined
}

export interface ContainerIndex extends IndexLayout {
  readonly container: string
}

/** The object that holds a copy in place of its document. Its properties have the names of the target's fields. */
export class Copy {
  readonly body: Body

  constructor(body: Body) {
    this.body = body
  }
}
