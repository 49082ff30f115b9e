// What of the store there is for whoever asks: all of it, or, where tenants share it, what is his tenant's.
// Everything that a request reads, writes or listens to comes from its share.

import { GraphQLError } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { ChangeStream } from '../feed/change-stream.ts'
import { isTenantName } from '../store/tenants/tenant-name.ts'
import { arrivalOf, type IncomingRequest } from '../auth/request-state.ts'
import type { Store } from '../store/store.ts'
import type { Writer } from '../write/writer.ts'
import { TenantStore } from '../store/tenants/tenant-store.ts'

export interface TenantScope {
  /** Whose it is, where there are tenants. */
  readonly tenant: string | undefined
  readonly store: Store
  readonly writer: Writer
  readonly changes: Pick<ChangeStream, 'seenBy'>
}

export interface TenantScopesOptions {
  readonly tenants: boolean
  readonly store: Store
  readonly changes: ChangeStream
  readonly writerOn: (store: Store) => Writer
}

/** How many tenants' shares are kept. One is made in no time; those who write in one take turns there. */
const mostShares = 1000

export function createTenantScopes({ tenants, store, changes, writerOn }: TenantScopesOptions): (request: IncomingRequest) => TenantScope {
  if (!tenants) {
    const whole: TenantScope = { tenant: undefined, store, changes, writer: writerOn(store) }
    return () => whole
  }
  const shares = new LRUCache<string, TenantScope>({ max: mostShares })
  return (request) => {
    const tenant = arrivalOf(request).viewer?.tenant
    // Nothing but the token says whose a request is, so without one there is nothing that it could be shown.
    if (!isTenantName(tenant)) throw new GraphQLError('Everything here is some tenant\'s. Send a token that says which one you are of.', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } })
    let share = shares.get(tenant)
    if (!share) {
      const own = new TenantStore(store, tenant)
      shares.set(tenant, (share = { tenant, store: own, changes: changes.within(tenant), writer: writerOn(own) }))
    }
    return share
  }
}
