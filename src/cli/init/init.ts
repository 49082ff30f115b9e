// `quire init`: asks what it has not been told, and writes a schema and a config that run. What is written
// is init-files.ts's business, and what is asked init-questions.ts's.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '../../config.ts'
import type { CliCommand } from '../command.ts'
import { printError } from '../print-error.ts'
import { filesFor } from './init-files.ts'
import { planByAsking, planWithoutAsking, type Asking, type Said } from './init-questions.ts'
import { storeSyntax } from '../../store/open-store.ts'

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
Writes schema/schema.graphql with two document types and a relation between them, stored as you choose,
quire.config.json, and first-steps.graphql with operations to try. If any of these files exists, it writes nothing,
unless you add --force. Without a terminal it asks nothing, as with --yes.

Exits with 0 when it has written the files, with 2 when it cannot, with 130 when you stop it.

Example:
  $ quire init                                                   asks, and writes to the current folder
  $ quire init my-api --yes                                      asks nothing
  $ quire init shop --types Order,Customer --relation reference --store memory --port 4001`,
  run: (options: InitOptions, folder = '.') => runInit(folder, options),
}

export type InitOptions = Said & { readonly yes?: boolean; readonly force?: boolean }

/** Answers with the exit code. */
export async function runInit(folder: string, options: InitOptions, asking?: Asking): Promise<number> {
  try {
    const asks = !options.yes && (asking !== undefined || (process.stdin.isTTY && process.stdout.isTTY))
    const plan = asks ? await planByAsking(options, asking) : planWithoutAsking(options)
    if (!plan) {
      console.error('Stopped. Nothing was written; the same command begins again.')
      return 130
    }
    const files = filesFor(plan)
    if (!options.force) checkFree(folder, [...files.keys()])
    for (const [name, text] of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    console.log(`Written in ${folder === '.' ? 'this folder' : folder}: ${[...files.keys()].join(', ')}.`)
    for (const line of nextSteps(folder, plan.store)) console.log(line)
    return 0
  } catch (error) {
    return printError(error)
  }
}

/** All or nothing: half a schema beside half of another helps nobody. */
function checkFree(folder: string, names: readonly string[]): void {
  const there = names.filter((name) => existsSync(join(folder, name)))
  if (there.length > 0) throw new ConfigError(`There ${there.length === 1 ? 'is' : 'are'} ${there.join(' and ')} in ${resolve(folder)} already, and nothing was written. Name another folder, or say --force to replace ${there.length === 1 ? 'it' : 'them'}.`)
}

function nextSteps(folder: string, store: string): string[] {
  return [
    'Next:',
    ...(folder === '.' ? [] : [`  cd ${folder}`]),
    ...(store === 'cosmos' ? ['  export COSMOS_KEY=…     a key of the account, unless Entra ID knows you'] : []),
    '  quire dev               serves it, and again whenever you save the schema',
    '  first-steps.graphql     has operations to try',
  ]
}
