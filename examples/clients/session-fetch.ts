// A fetch that sees what it has written. A mutation answers with `quire-session`; sent back, it keeps
// copies from answering that have not seen that mutation yet.

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

/** Mutations can overtake each other on their way back, and the later session has seen what the earlier one has. */
function later(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return parseInt(one, 36) > parseInt(other, 36) ? one : other
}
