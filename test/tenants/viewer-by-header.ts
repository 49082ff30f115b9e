// Who asks, said by a header instead of a token: what is tested here begins where a token has been verified.
// A test file puts it in the place of the real one with `vi.mock`.

import type * as request from '../../src/observe/request.ts'

type Requests = typeof request

export function viewerByHeader(real: Requests): Requests {
  const known = (asked: Parameters<Requests['arrivalOf']>[0]) => {
    const arrival = real.arrivalOf(asked)
    const said = asked.headers.get('x-viewer')
    arrival.viewer ??= said === null ? undefined : (JSON.parse(Buffer.from(said, 'base64url').toString()) as { tenant?: string } as never)
    return arrival
  }
  return { ...real, arrivalOf: known }
}

/** The header of someone of this tenant; of nobody's, when none is given. */
export function of(tenant?: unknown): Record<string, string> {
  return { 'x-viewer': Buffer.from(JSON.stringify({ id: 'someone', roles: [], tenant })).toString('base64url') }
}
