// `quire init`: asks what the options leave open, and writes a schema and a config file that run. init-questions.ts asks,
// init-files.ts makes the files.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import type { CliCommand } from '../command.ts'
import { printError } from '../print-error.ts'
import { filesFor } from './init-files.ts'
import { askForPlan, planFromOptions, type Terminal, type GivenAnswers } from './init-questions.ts'
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
quire.config.json, and schema/operations/first-steps.graphql with operations to try, which GraphiQL opens with. If any of
these files exists, it writes nothing, unless you add --force. Without a terminal it asks nothing, as with --yes.

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
    const files = filesFor(plan)
    if (!options.force) checkFree(folder, [...files.keys()])
    for (const [name, text] of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    console.log(`Written to ${folder === '.' ? 'this folder' : folder}: ${[...files.keys()].join(', ')}.`)
    for (const line of nextSteps(folder, plan.store)) console.log(line)
    return 0
  } catch (error) {
    return printError(error)
  }
}

/** All files or none, so that two schemas never mix. */
function checkFree(folder: string, names: readonly string[]): void {
  const there = names.filter((name) => existsSync(join(folder, name)))
  if (there.length > 0) throw new ConfigError(`Nothing was written: ${resolve(folder)} already has ${there.join(' and ')}. Use another folder, or add --force to replace ${there.length === 1 ? 'it' : 'them'}.`)
}

function nextSteps(folder: string, store: string): string[] {
  return [
    'Next:',
    ...(folder === '.' ? [] : [`  cd ${folder}`]),
    ...(store === 'cosmos' ? ['  export COSMOS_KEY=…     the key of the account; leave it out to sign in with Entra ID'] : []),
    '  quire dev               serves it, and serves it again whenever you save the schema',
    '  schema/operations       has operations to try; GraphiQL opens with them',
  ]
}
