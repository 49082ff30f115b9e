// A fetch whose reads see its own writes. Mutations answer with the header `quire-session`; with it, later requests do not
// read snapshots that the mutation has not reached yet.

export function createSessionFetch(): typeof fetch {
  let session: string | undefined
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    if (session !== undefined) headers.set('quire-session', session)
    const response = await fetch(input, { ...init, headers })
    session = later(session, response.headers.get('quire-session') ?? undefined)
    return response
  }
}

/** Answers can arrive out of order; the later session covers the earlier one. */
function later(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return parseInt(one, 36) > parseInt(other, 36) ? one : other
}
