// Which hosts are this machine. A page of another site cannot have one of these names, and cannot make one of its own resolve to an
// address that a browser then sends as the host: it would send the page's name (DNS rebinding).

import { isIP } from 'node:net'

const loopbackAddress = /^(?:127(?:\.\d+){3}|\[::1\])$/

/** `localhost`, names below it, and addresses of the loopback interface. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || loopbackAddress.test(hostname)
}

/** Whether a Host header names this machine in a way that no other site can: by an address, or as localhost. */
export function isOwnHost(host: string): boolean {
  const hostname = hostnameOf(host)
  return isLoopback(hostname) || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
}

/** Without the port, in lower case and without a final dot. */
export function hostnameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}
