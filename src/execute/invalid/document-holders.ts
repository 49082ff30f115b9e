// Which document an object belongs to. Objects inside a document, its snapshots and the entries of its lists do not know it, and an
// error has to name it. GraphQL.js's resolvers note it here; compiled plans do not, because they leave every error to them.

import { Copy } from '../../relations/kind.ts'
import type { StoredDocument } from '../../store/store.ts'
import { Connection, type Edge } from '../relay-connection.ts'
import type { NamedDocument } from './document-invalid.ts'

/** For objects inside of documents, which are part of what is stored. Snapshots and connections are made for a row and have their own. */
const holders = new WeakMap<object, NamedDocument>()

/** The document that a resolver's source is, or is part of. */
export function documentOf(source: unknown, typeName: string): NamedDocument | undefined {
  if (typeof source !== 'object' || source === null) return undefined
  return isDocument(source) ? { type: typeName, id: source.key.id } : holderOf(source)
}

function holderOf(source: object): NamedDocument | undefined {
  return source instanceof Copy || source instanceof Connection ? source.holder : holders.get(source)
}

/** Notes to which document the objects of a value belong. */
export function noteHolder(value: unknown, holder: NamedDocument): void {
  if (Array.isArray(value)) for (const each of value) noteHolder(each, holder)
  else if (value instanceof Copy || value instanceof Connection) value.holder = holder
  else if (typeof value === 'object' && value !== null && !isDocument(value)) holders.set(value, holder)
}

/** The same for what a connection has listed: entries belong to the document that has the connection. */
export function noteEntries(connection: unknown, listed: readonly (Edge | object)[]): void {
  const holder = connection instanceof Connection ? connection.holder : undefined
  if (holder) for (const each of listed) noteHolder('node' in each && 'cursor' in each ? each.node : each, holder)
}

function isDocument(source: object): source is StoredDocument {
  return 'body' in source && 'etag' in source && !(source instanceof Copy)
}
