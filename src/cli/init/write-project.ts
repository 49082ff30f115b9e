// Writes a project, or only a schema, and says what to do next. Nothing that exists is replaced unless the user says so, and all is checked before
// anything is written.

import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { configFilesOf } from '../../config/config-file.ts'
import { shellQuoted } from '../../config/shell-quoted.ts'
import { ConfigError } from '../../errors.ts'
import type { ProjectNames } from './init-files.ts'
import { commandsFor, missingFrom, type MissingEntries } from './existing-package.ts'
import { checkout, quireDependency } from './quire-dependency.ts'

export interface Writing {
  /** Whether to replace existing files. */
  readonly force?: boolean
}

export function writeProject(folder: string, files: ReadonlyMap<string, string>, options: Writing, store: string): void {
  const kept = [...files.keys()].filter((name) => !isReplaced(name) && existsSync(join(folder, name)))
  checkProject(folder, files, options)
  const lacking = kept.includes('package.json') ? missingFrom(join(folder, 'package.json'), files.get('package.json')!) : undefined
  if (options.force) for (const file of configFilesOf({}, folder)) rmSync(file, { force: true })
  for (const [name, text] of files) if (!kept.includes(name)) write(join(folder, name), text)
  console.log(`Written to ${folder === '.' ? 'this folder' : folder}: ${[...files.keys()].filter((name) => !kept.includes(name)).join(', ')}.`)
  if (kept.length > 0) console.log(`Kept: ${kept.join(', ')}.`)
  if (lacking && lacking.names.length > 0) console.log(`package.json lacks ${lacking.names.join(', ')}. The commands below add them.`)
  for (const line of nextSteps(folder, store, lacking)) console.log(line)
}

/** Only the schema, which may replace no other. */
export function writeSchema(folder: string, files: ReadonlyMap<string, string>, { force }: Writing): void {
  const there = [...files.keys()].filter((name) => existsSync(join(folder, name)))
  if (there.length > 0 && !force) throw new ConfigError(`Nothing was written: ${folder} already has ${there.join(' and ')}. Use another folder, or add --force to replace ${there.length === 1 ? 'it' : 'them'}.`)
  for (const [name, text] of files) write(join(folder, name), text)
  console.log(`Written to ${folder}: ${[...files.keys()].join(', ')}.`)
}

/** Throws if the project cannot be written, before anything is. */
export function checkProject(folder: string, files: ReadonlyMap<string, string>, { force }: Writing): void {
  checkFolders(folder, [...files.keys()])
  if (!force) checkFree(folder, [...files.keys()])
}

/** Files that other programs may have written are kept: the folder may be a project already. */
function isReplaced(name: string): boolean {
  return name.startsWith('schema') || name.startsWith('quire.config')
}

/** All files or none, so that two schemas never mix. */
function checkFree(folder: string, names: readonly string[]): void {
  const paths = new Set([...names.filter(isReplaced).map((name) => resolve(folder, name)), ...configFilesOf({}, folder)])
  const there = [...paths].filter((path) => existsSync(path)).map((path) => relative(resolve(folder), path))
  if (there.length > 0) throw new ConfigError(`Nothing was written: ${resolve(folder)} already has ${there.join(' and ')}. Use another folder, or add --force to replace ${there.length === 1 ? 'it' : 'them'}.`)
}

/** A file where a folder has to be. */
function checkFolders(folder: string, names: readonly string[]): void {
  const file = [...new Set(names.map((name) => dirname(join(folder, name))))].toSorted().find((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
  if (file !== undefined) throw new ConfigError(`Nothing was written: ${file} is a file, not a folder. Name another folder, or move the file.`)
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** What package.json says of a project in that folder. */
export function projectNames(folder: string): ProjectNames {
  return { name: projectName(folder), quire: quireDependency(folder) }
}

/** The name of the folder, as npm accepts names. */
function projectName(folder: string): string {
  return basename(resolve(folder)).toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'my-api'
}

function nextSteps(folder: string, store: string, lacking: MissingEntries | undefined): string[] {
  return [
    'Next:',
    ...(checkout === undefined ? [] : [`  npm --prefix ${shellQuoted(relative('.', checkout) || '.')} run build     builds the package in the checkout`]),
    ...(folder === '.' ? [] : [`  cd ${shellQuoted(folder)}`]),
    ...(lacking === undefined ? ['  npm install'] : commandsFor(lacking).map((line) => `  ${line}`)),
    ...(store === 'cosmos' ? ['  export COSMOS_KEY=…     the key of the account; leave it out to sign in with Entra ID'] : []),
    '  npm run dev             serves it, and serves it again whenever you save',
  ]
}
