// Who is charged for a request: the viewer, where one is known, or else the address it came from.

import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { arrivalOf, type IncomingRequest } from '../../auth/arrival.ts'

/** Without a socket, as in tests, everybody is the same caller. */
export function callerOf(request: IncomingRequest, message: IncomingMessage | undefined, proxies: number): string {
  const { viewer } = arrivalOf(request)
  return viewer ? JSON.stringify(viewer.tenant === undefined ? [viewer.id] : [viewer.id, viewer.tenant]) : networkOf(addressOf(request, message, proxies))
}

/**
 * Every proxy appends who called it, so the last entries are what our own proxies say, and the first of
 * those is the caller. Everything before it may have been made up by the caller himself. Some add the port.
 */
function addressOf(request: IncomingRequest, message: IncomingMessage | undefined, proxies: number): string {
  const address = message?.socket.remoteAddress ?? 'nowhere'
  if (proxies === 0) return address
  const said = request.headers.get('x-forwarded-for')?.split(',').map((each) => each.trim()).filter(Boolean) ?? []
  return said.at(-proxies)?.replace(/^(?:\[(.+)\]|([\d.]+)):\d+$/, '$1$2') ?? address
}

/** Whoever has one address of version 6 has 2⁶⁴ of them. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]!
  if (!isIPv6(address)) return address.slice(0, 64)
  const [before = '', after] = address.toLowerCase().split('%', 1)[0]!.split('::')
  const [head, tail] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const groups = after === undefined ? head! : [...head!, ...Array.from({ length: Math.max(0, 8 - head!.length - tail!.length) }, () => '0'), ...tail!]
  return `${groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
