// Responses to browsers: bytes of a content type in several encodings, and the security headers of pages. `pages.ts` decides
// which path gets which.

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

export interface Content {
  readonly type: string
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  /** Best first. */
  readonly encodings: readonly Encoding[]
  readonly read: (encoding: Encoding) => Promise<Uint8Array>
}

/** Forbids everything that our pages do not need: loading from elsewhere, being framed, inline scripts. */
const policy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'", "connect-src 'self'",
  "worker-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
]

export const safeHeaders = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

/** Isolates pages from other sites. The first header is for browsers without `frame-ancestors`. */
const apart = { 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin' }

/** For files with a hash of their content in the name, which never change. */
export const immutable = { ...safeHeaders, 'cache-control': 'public, max-age=31536000, immutable' }

/** GraphiQL's editor needs `inlineStyles`; scripts are never inline. */
export function pageHeaders({ inlineStyles = false } = {}): Record<string, string> {
  const rules = inlineStyles ? policy.map((rule) => rule.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")) : policy
  return { ...safeHeaders, ...apart, 'content-security-policy': rules.join('; '), 'cache-control': 'no-cache' }
}

/** Static text, compressed once on first use. */
export function textContent(type: string, text: string, headers: Record<string, string>, status = 200): Content {
  const compressed = new Map<Encoding, Promise<Uint8Array>>()
  const read = (encoding: Encoding) => {
    const known = compressed.get(encoding) ?? encode[encoding](Buffer.from(text))
    compressed.set(encoding, known)
    return known
  }
  return { type: `${type}; charset=utf-8`, status, headers, encodings: ['br', 'gzip', 'identity'], read }
}

export function jsonContent(data: unknown): Content {
  return {
    type: 'application/json; charset=utf-8',
    headers: { ...safeHeaders, 'cache-control': 'no-store' },
    encodings: ['identity'],
    read: async () => Buffer.from(JSON.stringify(data)),
  }
}

/** `name.3f2a9c01.css`, for text that is called `name.css`. */
export function hashedName(name: string, text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return name.replace(/(\.\w+)$/, `.${hash}$1`)
}

const encode: Record<Encoding, (bytes: Buffer) => Promise<Uint8Array>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: async (bytes) => bytes,
}
