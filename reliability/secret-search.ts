// Searches text for secrets: plain, in base64, in hexadecimal, URL-encoded and in JSON. A finding says where the secret
// was and in which encoding, never the secret itself.

export interface Secret {
  /** How a report of a leak names it. */
  readonly name: string
  readonly text: string
}

/** Where a secret was found, and in which encoding. */
export interface Leak {
  readonly secret: string
  readonly where: string
  readonly as: string
  /** The text before it, without the secret itself. */
  readonly after: string
}

export class SecretSearch {
  readonly #forms: readonly { secret: string; as: string; text: string }[]

  constructor(secrets: readonly Secret[]) {
    this.#forms = secrets.flatMap(({ name, text }) => Object.entries(formsOf(text)).map(([as, form]) => ({ secret: name, as, text: form })))
  }

  /** Every secret in the text, each encoding once. */
  leaksIn(where: string, text: string): Leak[] {
    return this.#forms.flatMap(({ secret, as, text: form }) => {
      const at = text.indexOf(form)
      return at < 0 ? [] : [{ secret, where, as, after: text.slice(Math.max(0, at - 80), at) }]
    })
  }
}

/** Base64 differs at each of three offsets, so the search takes only the part that does not depend on neighbouring bytes. */
function formsOf(text: string): Record<string, string> {
  const bytes = Buffer.from(text)
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    return encoded.slice(offset === 0 ? 0 : 4, Math.floor(((offset + bytes.length) * 8) / 24) * 4)
  })
  const all = {
    plain: text, 'URL-encoded': encodeURIComponent(text), hexadecimal: bytes.toString('hex'), 'JSON': JSON.stringify(text).slice(1, -1),
    ...Object.fromEntries(inBase64.flatMap((encoded, offset) => [[`base64, ${offset}`, encoded], [`base64url, ${offset}`, encoded.replaceAll('+', '-').replaceAll('/', '_')]])),
  }
  const seen = new Set<string>()
  return Object.fromEntries(Object.entries(all).filter(([, form]) => form.length >= 8 && !seen.has(form) && seen.add(form)))
}
