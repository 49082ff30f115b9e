// The config file, and how it meets the other two places where settings are said: options count more
// than the environment, and the environment more than the file.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ConfigError, settings } from '../config.ts'
import { suggestName } from '../model/sdl/suggest-name.ts'
import { jsonError } from '../model/json/json-error.ts'

export const configFileName = 'quire.config.json'

/** As options say them: `--config` and whichever of the settings the command takes. */
export type Options = Readonly<Record<string, unknown>>

/** The environment as it is with everything that options and the config file say. Nothing is written to `env`. */
export function settledEnvironment(env: NodeJS.ProcessEnv, options: Options = {}, folder = process.cwd()): NodeJS.ProcessEnv {
  const settled: NodeJS.ProcessEnv = { ...env }
  for (const [variable, text] of Object.entries(readConfigFile(configFileOf(options, folder), options['config'] !== undefined))) {
    // What is empty says nothing.
    if (!settled[variable]) settled[variable] = text
  }
  for (const [key, { variable, check }] of Object.entries(settings)) {
    const text = options[key]
    if (typeof text !== 'string') continue
    check(text, `--${key}`)
    settled[variable] = text
  }
  return settled
}

/** Where the config file is, if there is one. */
export function configFileOf({ config }: Options, folder = process.cwd()): string {
  return resolve(folder, typeof config === 'string' ? config : configFileName)
}

/** What the file says, by the names of the environment. Paths in it start where it is. */
function readConfigFile(file: string, wanted: boolean): Record<string, string> {
  if (!existsSync(file)) {
    if (wanted) throw new ConfigError(`There is no config file ${shown(file)}. Name one that is there, or make one with "quire init".`)
    return {}
  }
  return Object.fromEntries(Object.entries(parsed(file)).map(([key, value]) => {
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined
    if (!setting) throw new ConfigError(`${shown(file)}: there is no setting "${key}". ${hintFor(key)}`)
    const name = `${shown(file)}: ${key}`
    if (typeof value !== 'string' && typeof value !== 'number') throw new ConfigError(`${name} is ${JSON.stringify(value)}. Give a text${key === 'port' ? ' or a number' : ''}.`)
    if (value === '') throw new ConfigError(`${name} is "". Give a value, or leave it out.`)
    const text = String(value)
    setting.check(text, name)
    return [setting.variable, setting.within?.(text, dirname(file)) ?? text]
  }))
}

function parsed(file: string): object {
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new ConfigError(error instanceof SyntaxError ? `${shown(file)} is no JSON: ${jsonError(error)}.` : `${shown(file)} cannot be read: ${(error as Error).message}.`)
  }
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given
  throw new ConfigError(`${shown(file)} holds no object. Write { "store": "sqlite:PATH", "schema": "FOLDER" }.`)
}

function hintFor(key: string): string {
  if (/key|secret|password/i.test(key)) return 'Secrets stay out of files: set COSMOS_KEY in the environment.'
  const byVariable = Object.entries(settings).find(([, { variable }]) => variable.toLowerCase() === key.toLowerCase())
  const meant = byVariable?.[0] ?? suggestName(key, Object.keys(settings))
  return meant === undefined ? `There is ${Object.keys(settings).join(', ')}.` : `Did you mean "${meant}"?`
}

/** As people would name it from where they are. */
function shown(file: string): string {
  const from = relative(process.cwd(), file)
  return from.startsWith('../..') ? file : join(from)
}
