// Lists of physical partitions whose boundaries differ in length: a split may cut a hierarchical key at one of its levels, or write a boundary with
// zeros after its end (azure-cosmos-dotnet-v3#5159, #5859, #5956, and its CollectionRoutingMapTest). The hashes are of our keys.

import { effectiveKey } from '../../../../src/store/cosmos/read-many/effective-key.ts'

export const definition = { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 }

export const hashOf = (...key: string[]): string => effectiveKey(key, definition)!

/** Cut at a whole level, at a whole key, and at a whole key with zeros after it. */
export const cuts: readonly { readonly name: string; readonly at: string; readonly ambiguous: boolean }[] = [
  { name: 'a few digits', at: '2', ambiguous: false },
  { name: 'the hash of a tenant', at: hashOf('contoso'), ambiguous: false },
  { name: 'the hash of a tenant and a user', at: hashOf('contoso', 'ann'), ambiguous: false },
  { name: 'the hash of a tenant and a user, and zeros', at: `${hashOf('contoso', 'ann')}${'0'.repeat(32)}`, ambiguous: true },
]
