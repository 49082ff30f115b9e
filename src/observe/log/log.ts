// The log: lines of JSON in production, readable lines in development, on standard error. Standard output has only the line
// that says where the gateway is ready.
//
// Only the fields of `log-fields.ts` are logged: no headers, no variables, no documents. As a second safeguard, the secrets
// that this process knows are removed from every line.

import { destination, pino, stdSerializers, type DestinationStream, type LoggerOptions } from 'pino'
import type { LogFields } from './log-fields.ts'
import type { LogLevel } from './log-level.ts'
import { readableLine } from './readable-line.ts'

type WriteLine = (fields: LogFields, message: string) => void

/**
 * A pino logger, or anything with these methods.
 *
 * @example
 * ```ts
 * const log: Log = createLog({ level: 'info', readable: false })
 * log.info({ requestId: 'r1' }, 'Started.')
 * ```
 */
export interface Log {
  readonly debug: WriteLine
  readonly info: WriteLine
  readonly warn: WriteLine
  readonly error: WriteLine
  isLevelEnabled(level: string): boolean
}

/**
 * What a log writes, and how.
 *
 * @example
 * ```ts
 * const options: LogOptions = { level: 'debug', readable: true, secrets: ['s3cret'] }
 * ```
 */
export interface LogOptions {
  readonly level: LogLevel
  /** Readable lines instead of JSON. */
  readonly readable: boolean
  /** Texts to remove from every line. */
  readonly secrets?: readonly string[]
  readonly to?: DestinationStream
}

/**
 * The log that `quire start` writes: one line for each request and error, on standard error, without any value of a document,
 * variable or header.
 *
 * @example
 * ```ts
 * import { createGateway, createLog } from 'quire-graphql'
 *
 * const log = createLog({ level: 'info', readable: process.env.NODE_ENV !== 'production' })
 * const gateway = await createGateway({ typeDefs, store: openMemoryStore, log })
 * ```
 */
export function createLog({ level, readable, secrets = [], to }: LogOptions): Log {
  const hidden = secrets.flatMap((secret) => (secret === '' ? [] : [secret, encodeURIComponent(secret)]))
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }), log: (fields) => withoutSecrets(fields) as Record<string, unknown> },
    serializers: { err: errorFields, reason: withoutTokens },
    hooks: { streamWrite: (line) => hidden.reduce((text, secret) => text.replaceAll(secret, hiddenText), line) },
  }
  const out = to ?? standardError()
  return pino(options, readable ? { write: (line) => out.write(readableLine(line)) } : out)
}

/**
 * Asynchronous: no request waits for a line. If the reader is too slow or gone, lines beyond 16 MB are dropped; the rest is
 * written when the process ends.
 */
function standardError(): DestinationStream {
  return (opened ??= destination({ dest: 2, sync: false, maxLength: 16 * 1024 * 1024 }))
}
let opened: DestinationStream | undefined

const hiddenText = '[hidden]'
const secretFields = new Set(['authorization', 'cookie', 'set-cookie', 'password', 'token', 'secret', 'key', 'cosmos_key', 'variables'])

/** Hides fields with such names. Quire logs none of them; a program's own log lines might. */
function withoutSecrets(value: unknown, depth = 0): unknown {
  if (depth > 4) return hiddenText
  if (typeof value !== 'object' || value === null || value instanceof Error || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, secretFields.has(name.toLowerCase()) ? hiddenText : withoutSecrets(inside, depth + 1)]))
}

/** Only type, message and stack: other properties of an error may hold anything. */
function errorFields(error: Error): object {
  const { type, message, stack } = stdSerializers.err(error)
  return { type, message: withoutTokens(message), stack: withoutTokens(stack) }
}

/** HTTP libraries put the credentials they sent into their messages. */
function withoutTokens(text: string): string {
  return text.replaceAll(/\b(Bearer|Basic|sig|type=master)\b[\s&%\w.~+/=-]{8,}/gi, `$1 ${hiddenText}`)
}
