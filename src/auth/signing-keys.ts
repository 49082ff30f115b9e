// The issuer's public keys, from a URL or a file. A URL is fetched when a token names an unknown key, and then not again
// for a while, however many such tokens arrive.

import { createLocalJWKSet, createRemoteJWKSet, customFetch, type FetchImplementation, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { readJsonFile } from '../model/json/json-file.ts'

/** No fetch for an unknown key for so long after a successful fetch. */
const unknownMs = 30_000
/** No fetch at all for so long after a failed one. */
const failedMs = 5_000
/** How long fetched keys are valid. */
const freshMs = 600_000
const timeoutMs = 5_000

export async function openKeys(jwks: string): Promise<JWTVerifyGetKey> {
  if (/^https?:\/\//.test(jwks)) return createRemoteJWKSet(new URL(jwks), { cooldownDuration: unknownMs, cacheMaxAge: freshMs, timeoutDuration: timeoutMs, [customFetch]: fetchUnlessFailed() })
  let keys: unknown
  try {
    keys = readJsonFile(jwks)
  } catch (error) {
    throw new Error(`Cannot read the JWKS file ${jwks}: ${(error as Error).message}.`, { cause: error })
  }
  try {
    return createLocalJWKSet(keys as JSONWebKeySet)
  } catch (error) {
    throw new Error(`${jwks} is not a JSON Web Key Set. Name a file with { "keys": [ … ] }.`, { cause: error })
  }
}

/** After a failure, fails with the same error for a while without fetching. */
function fetchUnlessFailed(): FetchImplementation {
  let failed: { readonly error: Error; readonly untilMs: number } | undefined
  return async (...asked) => {
    if (failed && failed.untilMs > performance.now()) throw failed.error
    try {
      const response = await fetch(...asked)
      if (response.status !== 200) throw new Error(`The key server answered with status ${response.status}.`)
      failed = undefined
      return response
    } catch (error) {
      failed = { error: error as Error, untilMs: performance.now() + failedMs }
      throw error
    }
  }
}
