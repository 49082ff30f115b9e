// The part of the store that a request may use: all of it, or its tenant's where tenants share the store. Everything that a
// request reads, writes or subscribes to comes from its scope.

import { GraphQLError } from 'graphql'
import { LRUCache } from 'lru-cache'
import { requestState, type IncomingRequest } from '../auth/request-state.ts'
import type { ChangeStream } from '../feed/change-stream.ts'
import type { Store } from '../store/store.ts'
import { isTenantName } from '../store/tenants/tenant-name.ts'
import { TenantStore } from '../store/tenants/tenant-store.ts'
import type { Writer } from '../write/writer.ts'

export interface TenantScope {
  /** Undefined unless tenants share the store. */
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

/** Max scopes that are kept. A new one is cheap, but writers of one scope take turns, so a busy tenant should keep its own. */
const maxScopes = 1000

export function createTenantScopes({ tenants, store, changes, writerOn }: TenantScopesOptions): (request: IncomingRequest) => TenantScope {
  if (!tenants) {
    const whole: TenantScope = { tenant: undefined, store, changes, writer: writerOn(store) }
    return () => whole
  }
  const scopes = new LRUCache<string, TenantScope>({ max: maxScopes })
  return (request) => {
    const tenant = requestState(request).viewer?.tenant
    // Only the token names the tenant, so a request without one cannot be shown anything.
    if (!isTenantName(tenant)) throw new GraphQLError('Authentication required: every document belongs to a tenant. Send a token that names yours.', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } })
    let scope = scopes.get(tenant)
    if (!scope) {
      const own = new TenantStore(store, tenant)
      scopes.set(tenant, (scope = { tenant, store: own, changes: changes.within(tenant), writer: writerOn(own) }))
    }
    return scope
  }
}
