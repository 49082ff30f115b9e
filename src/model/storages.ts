// The ways of storing a field's value: for each, the arguments of the directive that declares it, and the
// traits that checks and the API ask for instead of asking which kind it is. What a kind reads and maintains
// is in its file in relations/.

/** Each kind under the name of its directive, with that directive's arguments. */
export interface Storages {
  /** The default: the value is a property of the document. */
  stored: { readonly at: string }
  contained: { readonly at: string; readonly max: number | undefined }
  derived: object
  /** `of` is a reference of the same object and a field of its target: `product.price`. */
  frozen: { readonly at: string; readonly of: string }
  resolved: object
  reference: { readonly at: string; readonly max: number; readonly numeric: boolean; readonly inverseOf: string | undefined; readonly singular: string | undefined; readonly onDelete: OnDelete }
  snapshot: { readonly at: string; readonly fields: readonly string[]; readonly indexed: readonly string[]; readonly max: number; readonly singular: string | undefined; readonly onDelete: OnDelete }
  reverse: { readonly of: string; readonly orderBy: string | undefined; readonly descending: boolean }
  joined: { readonly through: string; readonly from: string | undefined; readonly to: string | undefined; readonly filterUpTo?: number | undefined }
  bucketed: { readonly at: string; readonly recent: number; readonly size: number; readonly key: string; readonly type: string }
  counted: { readonly relation: string; readonly at: string }
  aggregated: { readonly relation: string; readonly field: string; readonly function: 'SUM' | 'AVG' | 'MIN' | 'MAX'; readonly at: string }
}

/** What happens to a reference when its target is deleted. */
export type OnDelete = 'RESTRICT' | 'SET_NULL' | 'CASCADE'

export type StorageKind = keyof Storages
export type Storage = { [K in StorageKind]: { readonly kind: K } & Storages[K] }[StorageKind]
export type StorageOf<K extends StorageKind> = Extract<Storage, { kind: K }>

interface Traits {
  /**
   * Where the value comes from: a `client`, who also writes a `part` of the document, an object or a list; the `document` itself, by a
   * function; a `copy` of a field of another document, made once; a `resolver`; the documents whose `ids` are in this one, those whose
   * `pointers` lead here, or those beyond `joining` documents; `entries` that are appended; or a `list` beside it, which it measures.
   */
  readonly from: 'client' | 'part' | 'document' | 'copy' | 'resolver' | 'ids' | 'pointers' | 'joining' | 'entries' | 'list'
  /** What the document has at `at`. Snapshots are objects with the target's id in them; a count, or another amount, is computed from a list; `nothing` has no `at`. */
  readonly holds: 'value' | 'ids' | 'snapshots' | 'entries' | 'count' | 'nothing'
  /** Whether the field can be a connection. */
  readonly pages: boolean
}

export const storageTraits = {
  stored: { from: 'client', holds: 'value', pages: false },
  contained: { from: 'part', holds: 'value', pages: false },
  derived: { from: 'document', holds: 'nothing', pages: false },
  frozen: { from: 'copy', holds: 'value', pages: false },
  resolved: { from: 'resolver', holds: 'nothing', pages: true },
  reference: { from: 'ids', holds: 'ids', pages: false },
  snapshot: { from: 'ids', holds: 'snapshots', pages: false },
  reverse: { from: 'pointers', holds: 'nothing', pages: true },
  joined: { from: 'joining', holds: 'nothing', pages: true },
  bucketed: { from: 'entries', holds: 'entries', pages: true },
  counted: { from: 'list', holds: 'count', pages: false },
  aggregated: { from: 'list', holds: 'count', pages: false },
} as const satisfies { readonly [K in StorageKind]: Traits }

export type Source = Traits['from']

/** Storage whose value comes from there. */
export type StorageFrom<S extends Source> = StorageOf<{ [K in StorageKind]: (typeof storageTraits)[K]['from'] extends S ? K : never }[StorageKind]>

/** Storage of which documents hold this. */
export type StorageHolding<H extends Traits['holds']> = StorageOf<{ [K in StorageKind]: (typeof storageTraits)[K]['holds'] extends H ? K : never }[StorageKind]>

/** That of a field without a directive; its own directive only gives the property another name. */
export const defaultKind = 'stored' satisfies StorageKind
