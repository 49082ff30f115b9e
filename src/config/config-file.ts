// Merges the three sources of settings: command-line options override the environment, and the environment overrides the
// config file.

import { existsSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import { suggestName } from '../model/sdl/suggest-name.ts'
import { jsonError } from '../model/json/json-error.ts'
import { readJsonFile } from '../model/json/json-file.ts'
import { importModule } from './import-module.ts'
import { loadErrorText, shownPath as shown } from './load-error.ts'
import { collected, throwAll } from './setting-problems.ts'
import { settings } from './settings.ts'

export const configFileName = 'quire.config.json'

const readNames = [configFileName, 'quire.config.ts', 'quire.config.js', 'quire.config.mjs']

/** Endings that Quire does not read, so that there are fewer ways to do the same. */
const unread = ['.cjs', '.mts', '.cts']

/** The names of a config file; a folder has one of them at most. A name that is not read is an error, because its settings would be missing without a word. */
const configFileNames = [...readNames, ...unread.map((ending) => `quire.config${ending}`)]

/** Parsed options of a command: `--config`, and the settings that the command accepts as options. */
export type Options = Readonly<Record<string, unknown>>

/** A copy of the environment with the settings of the options and the config file. */
export async function settledEnvironment(env: NodeJS.ProcessEnv, options: Options = {}, folder = process.cwd()): Promise<NodeJS.ProcessEnv> {
  const settled: NodeJS.ProcessEnv = { ...env }
  for (const [variable, text] of Object.entries(await readConfigFile(configFileOf(options, folder), options['config'] !== undefined))) {
    // An empty variable counts as unset.
    if (!settled[variable]) settled[variable] = text
  }
  for (const [key, { variable, parse }] of Object.entries(settings)) {
    const text = options[key]
    if (typeof text !== 'string') continue
    parse(text, `--${key}`)
    settled[variable] = text
  }
  return settled
}

/** The path of the config file, which need not exist. */
export function configFileOf({ config }: Options, folder = process.cwd()): string {
  if (typeof config === 'string') return resolve(folder, config)
  const [found = configFileName, other] = configFileNames.filter((name) => existsSync(resolve(folder, name)))
  if (other !== undefined) throw new ConfigError(`There are two config files, ${found} and ${other}. Keep one of them, or name one with --config.`)
  return resolve(folder, found)
}

/** Every path that the config file can have, or get. */
export function configFilesOf({ config }: Options, folder = process.cwd()): string[] {
  return (typeof config === 'string' ? [config] : configFileNames).map((name) => resolve(folder, name))
}

/** The settings in the file by their environment variables. Paths in it are relative to its folder. */
async function readConfigFile(file: string, required: boolean): Promise<Record<string, string>> {
  if (!existsSync(file)) {
    if (required) throw new ConfigError(`There is no config file ${shown(file)}. Check the path, or write one with "quire init".`)
    return {}
  }
  const problems: ConfigError[] = []
  const entries = Object.entries(await loaded(file)).flatMap(([key, value]) => collected(problems, () => readEntry(file, key, value)))
  throwAll(problems)
  return Object.fromEntries(entries)
}

function readEntry(file: string, key: string, value: unknown): [variable: string, text: string] {
  const setting = Object.hasOwn(settings, key) ? settings[key] : undefined
  if (!setting) throw new ConfigError(`${shown(file)}: there is no setting "${key}". ${hintFor(key)}`)
  const name = `${shown(file)}: ${key}`
  if (typeof value !== 'string' && typeof value !== 'number') throw new ConfigError(`${name} is ${JSON.stringify(value)}. Give a string${key === 'port' ? ' or a number' : ''}.`)
  if (value === '') throw new ConfigError(`${name} is "". Give a value, or leave it out.`)
  const text = String(value)
  setting.parse(text, name)
  return [setting.variable, setting.within?.(text, dirname(file)) ?? text]
}

async function loaded(file: string): Promise<object> {
  if (unread.includes(extname(file))) throw new ConfigError(`${shown(file)} is not read. Rename it: Quire reads ${readNames.join(', ').replace(/, ([^,]*)$/, ' or $1')}.`)
  const isModule = ['.ts', '.js', '.mjs'].includes(extname(file))
  const given = isModule ? await importDefault(file) : parsed(file)
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given
  if (isModule) throw new ConfigError(`${shown(file)} has no settings as its default export. Write export default defineConfig({ store: 'sqlite:PATH', schema: 'FOLDER' }).`)
  throw new ConfigError(`${shown(file)} is not a JSON object. Write { "store": "sqlite:PATH", "schema": "FOLDER" }.`)
}

function parsed(file: string): unknown {
  try {
    return readJsonFile(file)
  } catch (error) {
    throw new ConfigError(error instanceof SyntaxError ? `${shown(file)} is not JSON: ${jsonError(error)}.` : `${shown(file)} cannot be read: ${(error as Error).message}.`)
  }
}

async function importDefault(file: string): Promise<unknown> {
  try {
    return (await importModule(file))['default']
  } catch (error) {
    throw new ConfigError(`${shown(file)} cannot be loaded: ${loadErrorText(file, error)}`, { cause: error })
  }
}

function hintFor(key: string): string {
  if (/key|secret|password/i.test(key)) return 'A secret does not belong in a file: set COSMOS_KEY in the environment.'
  const byVariable = Object.entries(settings).find(([, { variable }]) => variable.toLowerCase() === key.toLowerCase())
  const suggestion = byVariable?.[0] ?? suggestName(key, Object.keys(settings))
  return suggestion === undefined ? `The settings are ${Object.keys(settings).join(', ')}.` : `Did you mean "${suggestion}"?`
}
