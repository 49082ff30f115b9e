// Which Host headers a server answers. In development everyone may write, so a page of another site must not reach the gateway under
// a name of its own that it makes resolve to this machine. Behind a proxy any name may be right, so production answers all.

import { hostnameOf, isOwnHost } from '../http/local-hosts.ts'
import type { Refusal } from '../http/refuse.ts'
import type { Config } from '../config/config.ts'

/** Undefined if every host is answered. */
export function createHostCheck({ development, host: bound, allowedHosts = development ? [] : 'any' }: Pick<Config, 'development' | 'host' | 'allowedHosts'>): ((host: string | undefined) => boolean) | undefined {
  if (allowedHosts === 'any') return undefined
  const names = new Set([bound, ...allowedHosts].map(hostnameOf))
  return (host) => host === undefined || isOwnHost(host) || names.has(hostnameOf(host))
}

export const hostRefused: Refusal = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'Forbidden: this gateway does not answer to the host of the request. In development it answers to localhost, IP addresses and HOST. Set QUIRE_ALLOWED_HOSTS (allowedHosts) to the name, or to any.',
}
