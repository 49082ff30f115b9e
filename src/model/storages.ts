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
}

/** What happens to a reference when its target is deleted. */
export type OnDelete = 'RESTRICT' | 'SET_NULL' | 'CASCADE'

export type StorageKind = keyof Storages
export type Storage = { [K in StorageKind]: { readonly kind: K } & Storages[K] }[StorageKind]
export type StorageOf<K extends StorageKind> = Extract<Storage, { kind: K }>

interface Traits {
  /** What the document has at `at`. Snapshots are objects with the target's id in them; `nothing` has no `at`. */
  readonly holds: 'value' | 'ids' | 'snapshots' | 'entries' | 'count' | 'nothing'
  /** Whether the field can be a connection. */
  readonly pages: boolean
}

export const storageTraits = {
  stored: { holds: 'value', pages: false },
  contained: { holds: 'value', pages: false },
  derived: { holds: 'nothing', pages: false },
  frozen: { holds: 'value', pages: false },
  resolved: { holds: 'nothing', pages: true },
  reference: { holds: 'ids', pages: false },
  snapshot: { holds: 'snapshots', pages: false },
  reverse: { holds: 'nothing', pages: true },
  joined: { holds: 'nothing', pages: true },
  bucketed: { holds: 'entries', pages: true },
  counted: { holds: 'count', pages: false },
} as const satisfies { readonly [K in StorageKind]: Traits }

/** The kinds whose documents hold ids of other documents. */
export type PointerKind = { [K in StorageKind]: (typeof storageTraits)[K]['holds'] extends 'ids' | 'snapshots' ? K : never }[StorageKind]
