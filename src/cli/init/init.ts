// `quire init`: asks what the options leave open, and writes a project that runs. init-questions.ts asks, init-files.ts makes
// the files.

import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { configFilesOf } from '../../config/config-file.ts'
import { shellQuoted } from '../../config/shell-quoted.ts'
import { ConfigError } from '../../errors.ts'
import { storeSyntax } from '../../store/open-store.ts'
import type { CliCommand } from '../command.ts'
import { printError } from '../print-error.ts'
import { filesFor } from './init-files.ts'
import { askForPlan, planFromOptions, type Terminal, type GivenAnswers } from './init-questions.ts'
import { commandsFor, lackingIn, type Lacking } from './kept-package.ts'
import { checkout, ownDependency } from './own-dependency.ts'

export const command: CliCommand = {
  arguments: { '[folder]': 'where to write (default: the current folder)' },
  options: {
    '--types <names>': 'two document types, the referring one first, such as Article,Writer',
    '--relation <kind>': 'how the first refers to the second: reference, reverse or snapshot',
    '--store <store>': `where to keep the documents: ${storeSyntax}`,
    '--endpoint <address>': 'the Azure account, if the store is cosmos',
    '--port <number>': 'the port to listen on',
    '--yes': 'ask nothing and use defaults',
    '--force': 'replace existing files',
  },
  help: `
Writes a project: package.json with the scripts dev, start, codegen, check and test; quire.config.ts; and in schema/ two
document types with a relation between them, stored as you choose, sample documents, your own code with its types, and
operations to try. If the folder has a config file or a file of schema/ already, it writes nothing, unless you add --force.
Any other file that exists is kept. If that is package.json, it prints the commands that add what the project needs there.
Without a terminal it asks nothing, as with --yes.

Exits with 0 when it has written the files, with 2 when it cannot, with 130 when you stop it.

Example:
  $ quire init                                                   asks, and writes to the current folder
  $ quire init my-api --yes                                      asks nothing
  $ quire init shop --types Order,Customer --relation reference --store memory --port 4001`,
  run: (options: InitOptions, folder = '.') => runInit(folder, options),
}

export type InitOptions = GivenAnswers & { readonly yes?: boolean; readonly force?: boolean }

/** Answers with the exit code. */
export async function runInit(folder: string, options: InitOptions, terminal?: Terminal): Promise<number> {
  try {
    const asks = !options.yes && (terminal !== undefined || (process.stdin.isTTY && process.stdout.isTTY))
    const plan = asks ? await askForPlan(options, terminal) : planFromOptions(options)
    if (!plan) {
      console.error('Stopped. Nothing was written; run the command again to start over.')
      return 130
    }
    const files = filesFor(plan, { name: projectName(folder), quire: ownDependency(folder) })
    const kept = [...files.keys()].filter((name) => !isReplaced(name) && existsSync(join(folder, name)))
    checkFolders(folder, [...files.keys()])
    const lacking = kept.includes('package.json') ? lackingIn(join(folder, 'package.json'), files.get('package.json')!) : undefined
    if (options.force) for (const file of configFilesOf({}, folder)) rmSync(file, { force: true })
    else checkFree(folder, [...files.keys()])
    for (const [name, text] of files) if (!kept.includes(name)) write(join(folder, name), text)
    console.log(`Written to ${folder === '.' ? 'this folder' : folder}: ${[...files.keys()].filter((name) => !kept.includes(name)).join(', ')}.`)
    if (kept.length > 0) console.log(`Kept: ${kept.join(', ')}.`)
    if (lacking && lacking.names.length > 0) console.log(`package.json lacks ${lacking.names.join(', ')}. The commands below add them.`)
    for (const line of nextSteps(folder, plan.store, lacking)) console.log(line)
    return 0
  } catch (error) {
    return printError(error)
  }
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
  if (file !== undefined) throw new ConfigError(`Nothing was written: ${file} is a file, and a folder has to be there. Name another folder, or move the file.`)
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The name of the folder, as npm accepts names. */
function projectName(folder: string): string {
  return basename(resolve(folder)).toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'my-api'
}

function nextSteps(folder: string, store: string, lacking: Lacking | undefined): string[] {
  return [
    'Next:',
    ...(checkout === undefined ? [] : [`  npm --prefix ${shellQuoted(relative('.', checkout) || '.')} run build     builds the package in the checkout`]),
    ...(folder === '.' ? [] : [`  cd ${shellQuoted(folder)}`]),
    ...(lacking === undefined ? ['  npm install'] : commandsFor(lacking).map((line) => `  ${line}`)),
    ...(store === 'cosmos' ? ['  export COSMOS_KEY=…     the key of the account; leave it out to sign in with Entra ID'] : []),
    '  npm run dev             serves it, and serves it again whenever you save',
  ]
}
