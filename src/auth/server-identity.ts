// Viewers that the server around a gateway has authenticated and gives with each request: `identity: 'server'`. Any code that calls
// the gateway in this process is trusted; nothing that a client sends gets here.

import { LRUCache } from 'lru-cache'
import { ConfigError } from '../errors.ts'
import type { Identity } from './identity.ts'
import type { Viewer } from './viewer.ts'

/**
 * The user that your server has authenticated, for rules such as `@readable(roles: ["editor"])` and `@writable(owner: "writer")`.
 *
 * @example
 * ```ts
 * const viewer: GivenViewer = { id: 'ada', roles: ['editor'] }
 * const response = await gateway.fetch(request, { viewer })
 * ```
 */
export interface GivenViewer {
  /** The id by which documents name their owner. */
  readonly id: string
  readonly roles?: Iterable<string> | undefined
  /** The tenant whose documents the viewer sees, if several tenants share the store. */
  readonly tenant?: string | undefined
  /** When the session ends, in milliseconds since 1970: subscriptions end then. */
  readonly untilMs?: number | undefined
}

const givenTo = new WeakMap<object, Viewer>()

/** Takes part as an `Identity`: the viewer is the one that was given with the request. */
export const serverIdentity: Identity = { viewerOf: (_, request) => givenTo.get(request) }

/** Remembers the viewer of a request. Throws if the gateway would not look for it, or if the viewer has no id. */
export function giveViewer(request: object, given: GivenViewer | null | undefined, identity: Identity | undefined): void {
  if (given === undefined || given === null) return
  if (identity !== serverIdentity) throw new ConfigError(`A viewer was given with a request, and the gateway ${identity ? 'has an identity of its own' : 'applies no viewers'}. Pass identity: 'server' to createGateway.`)
  if (typeof given.id !== 'string' || given.id === '') throw new ConfigError('The viewer that was given with a request has no id. Give { id: "…", roles: […] }, or no viewer for an anonymous request.')
  givenTo.set(request, known(given))
}

/** What rules allow is computed once per viewer object, so equal viewers must be the same object. */
const viewers = new LRUCache<string, Viewer>({ max: 10_000 })

function known({ id, roles = [], tenant, untilMs }: GivenViewer): Viewer {
  const all = [...roles].toSorted()
  const key = JSON.stringify([id, tenant ?? null, untilMs ?? null, all])
  const viewer = viewers.get(key) ?? { id, roles: new Set(all), tenant, untilMs }
  viewers.set(key, viewer)
  return viewer
}
