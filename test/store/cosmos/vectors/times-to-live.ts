// How long an item lives, by the default of its container and its own ttl: facts of the tables on Microsoft's page about time to live, and of the
// tests of time to live in azure-cosmos-dotnet-v3 and azure-sdk-for-js.

/** In seconds; undefined for none, `never` for an item that does not expire. */
export const lifetimes: readonly { readonly container: number | undefined; readonly item: number | undefined; readonly expiresAfter: number | 'never' }[] = [
  { container: undefined, item: undefined, expiresAfter: 'never' },
  { container: undefined, item: -1, expiresAfter: 'never' },
  { container: undefined, item: 2000, expiresAfter: 'never' },
  { container: -1, item: undefined, expiresAfter: 'never' },
  { container: -1, item: -1, expiresAfter: 'never' },
  { container: -1, item: 2000, expiresAfter: 2000 },
  { container: 1000, item: undefined, expiresAfter: 1000 },
  { container: 1000, item: -1, expiresAfter: 'never' },
  { container: 1000, item: 2000, expiresAfter: 2000 },
]

/** Refused with 400. */
export const impossible: readonly (number | null | string)[] = [null, 0, -10, 1.5, 'soon']
