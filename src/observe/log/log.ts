// The log: lines of JSON in production, readable lines in development, on standard error. Standard output has only the line
// that says where the gateway is ready.
//
// Only the fields of `log-fields.ts` are logged: no headers, no variables, no documents. As a second safeguard, the secrets
// that this process knows are removed from every line.

import type { LogFields } from './log-fields.ts'
import { logLevels, type LogLevel } from './log-level.ts'
import { hiddenText, logLine, textOfFields } from './log-line.ts'
import { readableLine } from './readable-line.ts'
import { standardError } from './standard-error.ts'

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
  /** Writes fields that are JSON text already, each with a comma before it. @internal */
  writeText?(level: LogLevel, fields: string, message: string): void
}

/** The same for any log. Others than Quire's own take fields as an object. */
export function writeText(log: Log, level: Exclude<LogLevel, 'silent'>, fields: string, message: string): void {
  if (log.writeText) log.writeText(level, fields, message)
  else log[level](JSON.parse(`{${fields.slice(1)}}`) as LogFields, message)
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
  /** Which of several processes writes; part of every line. @internal */
  readonly worker?: number | undefined
  /** Where lines go; default standard error. */
  readonly to?: { write(line: string): void }
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
export function createLog(options: LogOptions): Log {
  const { level, readable, secrets = [], worker, to = standardError() } = options
  const hidden = secrets.flatMap((secret) => (secret === '' ? [] : [secret, encodeURIComponent(secret)]))
  const written: ReadonlySet<string> = new Set(logLevels.slice(logLevels.indexOf(level), -1))
  const first = worker === undefined ? '' : `,"worker":${worker}`
  const isLevelEnabled = (of: string): boolean => written.has(of)
  const writeFieldsText = (of: LogLevel, fields: string, message: string): void => {
    if (!isLevelEnabled(of)) return
    let line = logLine(of, fields, message, first)
    for (const secret of hidden) line = line.replaceAll(secret, hiddenText)
    to.write(readable ? readableLine(line) : line)
  }
  const writer = (of: LogLevel): WriteLine => (isLevelEnabled(of) ? (fields, message) => writeFieldsText(of, textOfFields(fields), message) : () => {})
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error'), isLevelEnabled, writeText: writeFieldsText }
}
