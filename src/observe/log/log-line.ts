// One line of the log as JSON. Every request writes a line, so its fields come as text that is put together where they are
// known (request-log.ts). A general logger would look at every value first.

import { quoted } from '../../model/json/quote-json.ts'
import { logFields, type LogFields } from './log-fields.ts'
import type { LogLevel } from './log-level.ts'

/** `fields` is the text of the line's own fields, each with a comma before it; `first` that of fields that every line has. */
export function logLine(level: LogLevel, fields: string, message: string, first = ''): string {
  return `{"level":"${level}","time":"${timeText(Date.now())}"${first}${fields},"msg":${quoted(message)}}\n`
}

export function textOfFields(fields: LogFields): string {
  let all = ''
  for (const name in fields) {
    const value = fields[name as keyof LogFields]
    const known = knownFields.get(name)
    const text = known ? textOf(name, value) : JSON.stringify(withoutSecrets(name, value))
    if (text !== undefined) all += (known ?? `,${quoted(name)}:`) + text
  }
  return all
}

/** Undefined for a value that JSON leaves out. */
function textOf(name: string, value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(name === 'reason' ? withoutTokens(value) : value)
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value === 'number' && !Number.isFinite(value) ? 'null' : String(value)
  return JSON.stringify(value instanceof Error ? errorFields(value) : value)
}

/** What stands before the value of a field. */
const knownFields: ReadonlyMap<string, string> = new Map(logFields.map((name) => [name, `,"${name}":`]))

/** Many lines have the same millisecond. */
function timeText(ms: number): string {
  if (ms !== lastMs) [lastMs, lastText] = [ms, new Date(ms).toISOString()]
  return lastText
}
let lastMs = 0
let lastText = ''

export const hiddenText = '[hidden]'
const secretFields = new Set(['authorization', 'cookie', 'set-cookie', 'password', 'token', 'secret', 'key', 'cosmos_key', 'variables'])

/** Hides fields with such names. Quire logs none of them; a program's own log lines might. */
function withoutSecrets(name: string, value: unknown, depth = 0): unknown {
  if (secretFields.has(name.toLowerCase()) || depth > 4) return hiddenText
  if (value instanceof Error) return errorFields(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([inner, inside]) => [inner, withoutSecrets(inner, inside, depth + 1)]))
}

/** Only type, message and stack, with those of its causes: other properties of an error may hold anything. */
function errorFields(error: Error): object {
  const causes = causesOf(error)
  return {
    type: error.constructor.name === '' ? error.name : error.constructor.name,
    message: withoutTokens(causes.map(({ message }) => message).join(': ')),
    stack: withoutTokens(causes.map(({ stack = '' }) => stack).join('\ncaused by: ')),
  }
}

/** The error and what caused it. */
function causesOf(error: Error): Error[] {
  const all: Error[] = []
  for (let each: unknown = error; each instanceof Error && !all.includes(each) && all.length < 10; each = each.cause) all.push(each)
  return all
}

/** HTTP libraries put the credentials they sent into their messages. */
function withoutTokens(text: string): string {
  return text.replaceAll(/\b(Bearer|Basic|sig|type=master)\b[\s&%\w.~+/=-]{8,}/gi, `$1 ${hiddenText}`)
}
