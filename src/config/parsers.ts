// Parsers of settings: each turns a text into a value, or throws a ConfigError that says what to write instead. `name` is
// the name under which the text was given: a variable, an option, or a name in a config file.

import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import type { Origins } from '../http/http-options.ts'
import { defaultLimits, type Limits } from '../http/limits/request-limits.ts'

export type Parse<T> = (text: string, name: string) => T

export const anyText: Parse<string> = (text) => text

/** Timers take no more milliseconds than this, and no other setting needs more. */
const maxInteger = 2 ** 31 - 1

export function integer({ min, max = maxInteger, unit }: { readonly min: number; readonly max?: number; readonly unit?: string }): Parse<number> {
  return (text, name) => {
    const value = numberIn(text)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    throw new ConfigError(`${name} is "${text}". Give a whole number${unit === undefined ? '' : ` of ${unit}`} from ${min} to ${max}.`)
  }
}

/** `auto` is one for each core that this process may use. */
export const workerCount: Parse<number> = (text, name) => {
  if (text === 'auto') return availableParallelism()
  const value = numberIn(text)
  if (Number.isInteger(value) && value >= 1 && value <= maxWorkers) return value
  throw new ConfigError(`${name} is "${text}". Give a whole number of processes from 1 to ${maxWorkers}, or auto for one per core.`)
}

/** More processes than cores only take turns, and few machines have more cores. */
const maxWorkers = 256

export const megabytes: Parse<number> = (text, name) => {
  const value = numberIn(text)
  if (Number.isFinite(value) && value >= 0) return value
  throw new ConfigError(`${name} is "${text}". Give a number of megabytes; 0 turns it off.`)
}

export const chargePerMinute: Parse<number> = (text, name) => {
  const value = numberIn(text)
  if (Number.isFinite(value) && value > 0) return value
  throw new ConfigError(`${name} is "${text}". Give the RU per minute that each caller may use, above 0, or leave it out.`)
}

export const maxOrNone: Parse<number> = (text, name) => {
  const value = text === 'none' ? Infinity : numberIn(text)
  if (value >= 0) return value
  throw new ConfigError(`${name} is "${text}". Give a number, or none for no budget.`)
}

export function oneOf<const T extends string>(values: readonly T[]): Parse<T> {
  return (text, name) => {
    const value = values.find((known) => known === text)
    if (value !== undefined) return value
    throw new ConfigError(`${name} is "${text}". Write ${values.join(', ').replace(/, ([^,]*)$/, ' or $1')}, or leave it out.`)
  }
}

export const isOpen: Parse<boolean> = (text, name) => oneOf(['open', 'closed'])(text, name) === 'open'

export const claimName: Parse<string> = (text, name) => {
  if (!/[\s\p{Cc}]/u.test(text) && text.length <= 256) return text
  throw new ConfigError(`${name} is ${JSON.stringify(text)}. Give the name of the token claim that holds the tenant, such as tenant, or leave it out.`)
}

/** An address or a file. Keys from plain http prove nothing, because anyone on the way could replace them. */
export const keySource: Parse<string> = (text, name) => {
  if (!isAddress(text)) return resolve(text)
  const url = URL.parse(text)
  const loopback = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url?.protocol === 'https:' || loopback) return text
  throw new ConfigError(`${name} is "${text}". Give an https address or a file; http works only on this machine.`)
}

export function isAddress(text: string): boolean {
  return /^\w+:\/\//.test(text)
}

/** Origins exactly as browsers send them. */
export const originList: Parse<Origins> = (text, name) => (text === 'any' || text === 'local' ? text : text.split(',').map((each) => {
  const origin = each.trim()
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin
  throw new ConfigError(`${name}: "${origin}" is not an origin. Write origins as browsers send them, separated by commas: https://shop.example, http://localhost:5173. Or write local, or any.`)
}))

/** Names of hosts, without ports. */
export const hostList: Parse<readonly string[] | 'any'> = (text, name) => (text === 'any' ? text : text.split(',').map((each) => {
  const host = each.trim()
  if (/^[\w.-]+$/.test(host)) return host
  throw new ConfigError(`${name}: "${host}" is not a host name. Write names without ports, separated by commas: quire.test, devbox. Or write any.`)
}))

export const limitList: Parse<Partial<Limits>> = (text, name) => Object.fromEntries(text.split(',').map((each) => {
  const [, limit = '', max = ''] = /^\s*(\w+)\s*=\s*(\d{1,9})\s*$/.exec(each) ?? []
  if (Object.hasOwn(defaultLimits, limit)) return [limit, Number(max)]
  throw new ConfigError(`${name}: "${each.trim()}" is not a limit. Write some of ${Object.entries(defaultLimits).map(([known, value]) => `${known}=${value}`).join(', ')}.`)
}))

/** NaN for what is no decimal number: `Number` takes a blank text for 0, and reads 0x10 and Infinity. */
function numberIn(text: string): number {
  return /^\s*[+-]?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : NaN
}
