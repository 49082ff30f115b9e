// A document as a mutation's payload returns it: with the etag of the write, or as an error where the viewer may write
// the document but not read it.

import type { GraphQLError } from 'graphql'
import type { Entry } from '../relations/maintenance.ts'
import type { StoredDocument } from '../store/store.ts'
import type { Permission } from './permission.ts'

/** GraphQL.js reports an error that a resolver returns, wherever it is in the payload. */
export function writtenDocument(entry: Entry, etags: ReadonlyMap<Entry['key'], string>, permission: Permission | undefined): StoredDocument | GraphQLError {
  return permission && !permission.sees(entry) ? permission.unreadable(entry.type!) : documentOf(entry, etags)
}

function documentOf(entry: Entry, etags: ReadonlyMap<Entry['key'], string>): StoredDocument {
  const body = entry.after ?? entry.before!
  return {
    key: entry.key,
    etag: etags.get(entry.key) || entry.etag || '',
    body,
    // Computed on demand: few mutations need the size.
    get bytes() {
      return Buffer.byteLength(JSON.stringify(body))
    },
  }
}
