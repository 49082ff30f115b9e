// `quire advise`: reads recorded workloads and recommends how to store each relation. pricing/ computes the costs,
// prove-advice.ts confirms them by replay, and the text and page files print them.

import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { readConfig } from '../../config/config.ts'
import { ConfigError } from '../../errors.ts'
import { readDeclaredSchema } from '../../serve/schema-folder.ts'
import { readSdl } from '../../model/sdl/read-sdl.ts'
import { sumWorkloads, readWorkload } from '../../observe/workload/workload-file.ts'
import { advicePage } from './advice-page.ts'
import { proveAdvice } from './prove-advice.ts'
import { adviceLines } from './advice-text.ts'
import { processIo, type CommandIo } from '../command/command-io.ts'
import type { CliCommand } from '../command/command.ts'
import { openStored, tenantScopeOf } from '../command/open-stored.ts'

export const command: CliCommand = {
  arguments: { '<files...>': 'workloads that QUIRE_RECORD has recorded; several files add up' },
  settings: ['schema', 'store'],
  options: {
    '--sample <number>': 'how many documents of each type to replay the workload on (default: 1000)',
    '--tenant <name>': 'the tenant whose documents to use, where tenants share the store',
    '--html <file>': 'write a report with charts to this file',
    '--json': 'print one JSON object',
  },
  help: `
A gateway started with QUIRE_RECORD=FILE records its reads and writes as names and numbers, without any values.
For each relation, advise computes what embedding and referencing would cost under that workload: which is
cheaper and by how much, at which rate of changes that reverses, which fields to copy, and the line to write. Then it
replays the workload in memory, both ways, on documents from the store of QUIRE_STORE, and prints the measured
costs next to the predicted ones. It changes nothing.

Exits with 0 when it has advice, with 2 when it cannot run. docs/advise.md has an example.

Example:
  $ QUIRE_RECORD=workload.json quire start     records until you stop it
  $ quire advise workload.json                 recommends`,
  run: ({ sample = '1000', json = false, ...options }: Partial<AdviseCliOptions>, files: readonly string[]) => runAdvise(files, { ...options, sample, json }),
}

export interface AdviseCliOptions {
  readonly sample: string
  readonly html?: string
  /** The tenant whose documents to use, where tenants share the store. */
  readonly tenant?: string
  readonly json: boolean
}

/** More documents make the replay slower without changing the result. */
const maxSample = 20_000

/** Answers with the exit code. */
export async function runAdvise(files: readonly string[], { sample, html, tenant, json }: AdviseCliOptions, { env, print, printError, progress }: Omit<CommandIo, 'read'> = processIo): Promise<number> {
  try {
    const size = readSample(sample)
    const workload = sumWorkloads(await Promise.all(files.map(readWorkload)))
    if (workload.made.operations === 0) {
      print(`No operation is recorded in ${files.join(', ')} yet. Let the gateway serve its normal traffic for a while.`)
      return 0
    }
    const { typeDefs, derive = {} } = await readDeclaredSchema(readConfig(env).schemaFolder)
    const { declaration, store } = await openStored(env)
    try {
      const advice = await proveAdvice({
        workload, typeDefs: typeof typeDefs === 'string' ? readSdl(typeDefs) : typeDefs, derive, declaration, store: tenantScopeOf(declaration, store, tenant), sample: size,
        onReplay: (name) => progress(`Replaying ${name} …`),
      })
      progress('')
      if (html !== undefined) writeFileSync(html, advicePage(advice))
      if (json) print(JSON.stringify(advice, withoutRoundingErrors, 2))
      else for (const line of adviceLines(advice)) print(line)
      if (html !== undefined && !json) print(`Report written to ${relative(process.cwd(), html) || html}.`)
      return 0
    } finally {
      await store.close()
    }
  } catch (error) {
    progress('')
    printError(error instanceof Error ? error.message : String(error))
    return 2
  }
}

/** Floating-point sums have meaningless digits at the end. */
function withoutRoundingErrors(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(8)) : value
}

function readSample(text: string): number {
  const size = Number(text)
  if (!Number.isInteger(size) || size < 1 || size > maxSample) throw new ConfigError(`--sample is ${text.slice(0, 40)}. Give a whole number from 1 to ${maxSample}.`)
  return size
}
