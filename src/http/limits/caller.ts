// The caller that a request is charged to: its viewer if it has one, otherwise the network address it came from.

import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { requestState, type IncomingRequest } from '../../auth/request-state.ts'

/** Without a socket, as in tests, all callers are the same. */
export function callerOf(request: IncomingRequest, message: IncomingMessage | undefined, proxies: number): string {
  return knownCallerOf(request, message, proxies) ?? 'unknown'
}

/** The same; undefined for a request without a viewer and without an address, which may come from anyone. */
export function knownCallerOf(request: IncomingRequest, message: IncomingMessage | undefined, proxies: number): string | undefined {
  const { viewer } = requestState(request)
  if (viewer) return JSON.stringify(viewer.tenant === undefined ? [viewer.id] : [viewer.id, viewer.tenant])
  const address = addressOf(request, message, proxies)
  return address === undefined ? undefined : networkOf(address)
}

/**
 * Each proxy appends the address that called it. So the last `proxies` entries come from our own proxies, the first of
 * these is the caller, and the caller may have made up everything before it. Some proxies add the port.
 */
function addressOf(request: IncomingRequest, message: IncomingMessage | undefined, proxies: number): string | undefined {
  const address = message?.socket.remoteAddress
  if (proxies === 0) return address
  const forwarded = request.headers.get('x-forwarded-for')?.split(',').map((each) => each.trim()).filter(Boolean) ?? []
  return forwarded.at(-proxies)?.replace(/^(?:\[(.+)\]|([\d.]+)):\d+$/, '$1$2') ?? address
}

/** An IPv6 customer usually owns a /64, which is 2⁶⁴ addresses. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]!
  if (!isIPv6(address)) return address.slice(0, 64)
  const [before = '', after] = address.toLowerCase().split('%', 1)[0]!.split('::')
  const [head, tail] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const groups = after === undefined ? head! : [...head!, ...Array.from({ length: Math.max(0, 8 - head!.length - tail!.length) }, () => '0'), ...tail!]
  return `${groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
