// Compares the user's package.json, which `quire init` keeps, with the one that it would have written, and gives the npm commands that add
// what is missing.

import { shellQuoted } from '../../config/shell-quoted.ts'
import { ConfigError } from '../../errors.ts'
import { readJsonFile } from '../../model/json/json-file.ts'

interface Package {
  readonly type?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

export interface MissingEntries {
  /** For people: `"type": "module"`, `scripts (dev, start)`. */
  readonly names: readonly string[]
  /** Arguments of `npm pkg set`. */
  readonly set: readonly string[]
  /** Arguments of `npm install`, and of `npm install --save-dev`. */
  readonly install: readonly string[]
  readonly installDev: readonly string[]
}

export function missingFrom(file: string, written: string): MissingEntries {
  const kept = readPackage(file)
  const needed = JSON.parse(written) as Package
  const installed = { ...kept.dependencies, ...kept.devDependencies }
  const [dependencies, devDependencies] = [needed.dependencies, needed.devDependencies].map((table = {}) => Object.entries(table).filter(([name]) => installed[name] === undefined)) as [[string, string][], [string, string][]]
  // Node reads quire.config.ts and the code in schema/ as CommonJS without it.
  const type = kept.type === needed.type ? [] : [needed.type!]
  const scripts = Object.entries(needed.scripts ?? {}).filter(([name]) => isFree(kept.scripts?.[name]))
  return {
    names: [...type.map((name) => `"type": "${name}"`), ...listed('scripts', scripts), ...listed('dependencies', [...dependencies, ...devDependencies])],
    set: [...type.map((name) => `type=${name}`), ...scripts.map(([name, text]) => `scripts.${name}=${text}`)],
    install: dependencies.map(argument),
    installDev: devDependencies.map(argument),
  }
}

/** In this order: npm installs what package.json lists as well. */
export function commandsFor({ set, install, installDev }: MissingEntries): string[] {
  return [
    ...(set.length === 0 ? [] : [command('npm pkg set', set)]),
    ...(installDev.length === 0 ? [] : [command('npm install --save-dev', installDev)]),
    command('npm install', install),
  ]
}

function command(start: string, given: readonly string[]): string {
  return [start, ...given.map(shellQuoted)].join(' ')
}

function listed(kind: string, entries: readonly (readonly [string, string])[]): string[] {
  return entries.length === 0 ? [] : [`${kind} (${entries.map(([name]) => name).join(', ')})`]
}

/** `npm init` writes a test that fails. */
function isFree(script: string | undefined): boolean {
  return script === undefined || script.includes('no test specified')
}

function argument([name, version]: readonly [string, string]): string {
  return version.startsWith('file:') ? version : `${name}@${version}`
}

function readPackage(file: string): Package {
  try {
    const given: unknown = readJsonFile(file)
    if (typeof given === 'object' && given !== null) return given
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new ConfigError(`Nothing was written: ${file} is not a JSON object. Repair it, or use another folder.`)
}
