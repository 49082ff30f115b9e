// The one log: lines of JSON in production, lines for people in development, on standard error either way.
// Standard output belongs to the line that says where the gateway is ready.
//
// Only fields that are named where something is logged get into it. No header, no variable and no document
// is among them, and the secrets that this process knows are taken out of every line all the same.

import { destination, pino, stdSerializers, type DestinationStream, type LoggerOptions } from 'pino'
import type { LogLevel } from './log-level.ts'
import { readableLine } from './readable-line.ts'

type Tell = (fields: object, message: string) => void

/** A pino logger is one, and so is anything with these methods. */
export interface Log {
  readonly debug: Tell
  readonly info: Tell
  readonly warn: Tell
  readonly error: Tell
  isLevelEnabled(level: string): boolean
}

export interface LogOptions {
  readonly level: LogLevel
  /** Whether people read it as it comes. */
  readonly readable: boolean
  /** Texts that must not be in any line, whoever put them there. */
  readonly secrets?: readonly string[]
  readonly to?: DestinationStream
}

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
 * No request waits for a line to be written. What a reader that is too slow, or gone, has not taken is
 * dropped before it fills the memory; what is left when the process ends is written then.
 */
function standardError(): DestinationStream {
  return (opened ??= destination({ dest: 2, sync: false, maxLength: 16 * 1024 * 1024 }))
}
let opened: DestinationStream | undefined

const hiddenText = '[hidden]'
const secretFields = new Set(['authorization', 'cookie', 'set-cookie', 'password', 'token', 'secret', 'key', 'cosmos_key', 'variables'])

/** Fields with such a name, in case that someone logs more than he should. Nothing that we log has any, or goes this deep. */
function withoutSecrets(value: unknown, depth = 0): unknown {
  if (depth > 4) return hiddenText
  if (typeof value !== 'object' || value === null || value instanceof Error || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, secretFields.has(name.toLowerCase()) ? hiddenText : withoutSecrets(inside, depth + 1)]))
}

/** What an error is, what it says and where it was thrown. Whatever else hangs on it may hold anything. */
function errorFields(error: Error): object {
  const { type, message, stack } = stdSerializers.err(error)
  return { type, message: withoutTokens(message), stack: withoutTokens(stack) }
}

/** Libraries put what they have sent into their messages. */
function withoutTokens(text: string): string {
  return text.replaceAll(/\b(Bearer|Basic|sig|type=master)\b[\s&%\w.~+/=-]{8,}/gi, `$1 ${hiddenText}`)
}
