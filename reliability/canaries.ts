// Secrets that every show puts in the way of its gateways: among their settings, and in the headers of requests. All that
// gateways write, and what they answer to clients that look, is searched for them. The show of attackers has more, and
// searches by itself.

import type { Readable } from 'node:stream'
import { SecretSearch, type Secret } from './secret-search.ts'

const [key, password, token, cookie] = ['key of an account', 'password of a service', 'bearer token', 'cookie']
  .map((name): Secret => ({ name, text: `canary-${name.replaceAll(' ', '-')}-${process.pid}-do-not-tell` })) as [Secret, Secret, Secret, Secret]

/** Settings that hold secrets, of which a gateway over SQLite has no need. */
export const canarySettings = { COSMOS_KEY: key.text, AZURE_CLIENT_SECRET: password.text }
export const canaryHeaders = { authorization: `Bearer ${token.text}`, cookie: `session=${cookie.text}` }

const searcher = new SecretSearch([key, password, token, cookie])
const found = new Map<string, string>()
let heardBytes = 0

/** How much was looked at in this process, and which secrets were there. */
export function searched(): { readonly bytes: number; readonly leaks: readonly string[] } {
  return { bytes: heardBytes, leaks: [...found.values()] }
}

export function searchText(where: string, text: string): void {
  heardBytes += text.length
  search(where, text)
}

function search(where: string, text: string): void {
  for (const { secret, as, after } of searcher.leaksIn(where, text)) found.set(`${where} ${secret}`, `The ${secret} was in ${where} (${as}), after: ${after}`)
}

/** All that a gateway writes. What is cut in two by chance is found in the next piece. */
export function searchOutput(where: string, ...streams: readonly Readable[]): void {
  for (const stream of streams) {
    let before = ''
    stream.on('data', (piece: Buffer) => {
      const text = piece.toString('latin1')
      heardBytes += text.length
      search(where, before + text)
      before = (before + text).slice(-overlap)
    })
  }
}

/** Longer than any form of a secret. */
const overlap = 400
