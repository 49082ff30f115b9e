// The session of this process, by container: how far each physical partition had come when it last answered, to a write or a read. A read that
// sends these tokens is not answered by a replica that is further behind, so the process sees its own writes.
//
// The SDK has the same for the requests that it makes, and offers no way to ask for it.

/** `version # global position # region = its position # …`, as the service writes it. */
interface Token {
  readonly version: number
  readonly global: string
  readonly regions: ReadonlyMap<string, string>
}

interface Session {
  /** By the id of the physical partition, as text. */
  readonly tokens: Map<string, string>
  /** All of them, as a request sends them. */
  text: string | undefined
}

export class SessionTokens {
  readonly #sessions = new Map<string, Session>()

  /** The tokens for a container, whose path is `/dbs/…/colls/…`; undefined before its first answer. */
  of(container: string): string | undefined {
    const session = this.#sessions.get(container)
    if (!session) return undefined
    session.text ??= [...session.tokens].map(([range, token]) => `${range}:${token}`).join()
    return session.text
  }

  /** Adds the token of an answer about documents; other requests have none that matter. */
  observe(url: string, tokens: string | undefined): void {
    const container = tokens === undefined ? undefined : /\/dbs\/[^/]+\/colls\/[^/]+(?=\/docs)/.exec(url)?.[0]
    if (container === undefined) return
    let session = this.#sessions.get(container)
    if (!session) this.#sessions.set(container, (session = { tokens: new Map(), text: undefined }))
    for (const part of tokens!.split(',')) {
      const [range, token] = part.split(':')
      const known = session.tokens.get(range!)
      // Reads that follow each other usually carry the same token.
      if (token === undefined || token === known) continue
      session.tokens.set(range!, known === undefined ? token : later(known, token))
      session.text = undefined
    }
  }
}

/** A new version means that the regions of the account have changed; those of the older one no longer count. */
function later(one: string, other: string): string {
  const [a, b] = [read(one), read(other)]
  if (a.version !== b.version) return a.version > b.version ? one : other
  const regions = [...b.regions].map(([region, position]) => `${region}=${further(position, a.regions.get(region) ?? position)}`)
  return [b.version, further(a.global, b.global), ...regions].join('#')
}

function read(token: string): Token {
  const [version, global = '0', ...regions] = token.split('#')
  return { version: Number(version), global, regions: new Map(regions.map((region) => region.split('=') as [string, string])) }
}

/** Positions are whole numbers that may exceed what a number holds. */
function further(one: string, other: string): string {
  return one.length === other.length ? (one > other ? one : other) : one.length > other.length ? one : other
}
