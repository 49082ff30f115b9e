// Secrets that every scenario gives to its gateways, in their settings and in request headers. Everything that gateways
// print, and the answers that clients pass on, is searched for them. The hostile scenario has more secrets and its own search.

import type { Readable } from 'node:stream'
import { SecretSearch, type Secret } from './secret-search.ts'

const [key, password, token, cookie] = ['key of an Azure account', 'password of a service', 'bearer token', 'cookie']
  .map((name): Secret => ({ name, text: `canary-${name.replaceAll(' ', '-')}-${process.pid}-do-not-tell` })) as [Secret, Secret, Secret, Secret]

/** Settings with secrets that a gateway on SQLite does not use. */
export const canarySettings = { COSMOS_KEY: key.text, AZURE_CLIENT_SECRET: password.text }
export const canaryHeaders = { authorization: `Bearer ${token.text}`, cookie: `session=${cookie.text}` }

const searcher = new SecretSearch([key, password, token, cookie])
const found = new Map<string, string>()
let heardBytes = 0

/** How much text this process has searched, and which secrets were in it. */
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

/** Searches everything that a gateway prints, including a secret that arrives in two pieces. */
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

/** Longer than any encoding of a secret. */
const overlap = 400
