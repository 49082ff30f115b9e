// The public keys of whoever issues tokens, from an address or from a file. An address is asked when a token comes
// that no known key has signed, and not again for a while, whoever sends such tokens.

import { readFile } from 'node:fs/promises'
import { createLocalJWKSet, createRemoteJWKSet, customFetch, type FetchImplementation, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

/** How long after an answer it is not asked for unknown keys, and after a failure not at all. */
const unknownMs = 30_000
const failedMs = 5_000
/** How long keys are good without asking again. */
const freshMs = 600_000
const timeoutMs = 5_000

export async function openKeys(jwks: string): Promise<JWTVerifyGetKey> {
  if (/^https?:\/\//.test(jwks)) return createRemoteJWKSet(new URL(jwks), { cooldownDuration: unknownMs, cacheMaxAge: freshMs, timeoutDuration: timeoutMs, [customFetch]: restingFetch() })
  let keys: unknown
  try {
    keys = JSON.parse(await readFile(jwks, 'utf8'))
  } catch (error) {
    throw new Error(`The keys of tokens cannot be read from ${jwks}: ${(error as Error).message}.`, { cause: error })
  }
  try {
    return createLocalJWKSet(keys as JSONWebKeySet)
  } catch (error) {
    throw new Error(`${jwks} holds no keys of tokens. Name a JSON Web Key Set: { "keys": [ … ] }.`, { cause: error })
  }
}

/** After a failure everyone is told the same for a while, without asking. */
function restingFetch(): FetchImplementation {
  let failed: { readonly error: Error; readonly untilMs: number } | undefined
  return async (...asked) => {
    if (failed && failed.untilMs > performance.now()) throw failed.error
    try {
      const response = await fetch(...asked)
      if (response.status !== 200) throw new Error(`The keys of tokens were answered with the status ${response.status}.`)
      failed = undefined
      return response
    } catch (error) {
      failed = { error: error as Error, untilMs: performance.now() + failedMs }
      throw error
    }
  }
}
