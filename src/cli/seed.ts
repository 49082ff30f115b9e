// `quire seed`: writes made-up documents, batch by batch. Which ones is for the library to say.

import { setImmediate as turn } from 'node:timers/promises'
import { ConfigError, readConfig } from '../config.ts'
import { createSeed } from '../library/seed.ts'
import { readSeedSize, seedWords } from '../library/seed-words.ts'
import { markFilled } from '../store/own-documents.ts'
import { withStoredCopies } from '../evolve/stored-copies.ts'
import { writeAll } from '../store/write-all.ts'
import type { Store, Write } from '../store/store.ts'
import type { CliCommand } from './command.ts'
import { printError } from './print-error.ts'
import { checkTenant, readToFill, shareOf } from './open-stored.ts'
import { createProgressBar } from './progress-bar.ts'

export const command: CliCommand = {
  settings: ['store'],
  requiredOptions: { [seedWords.option]: seedWords.explained },
  options: {
    '--tenant <name>': 'the tenant that gets the documents, where tenants share the store',
    '--json': 'print one JSON object with the totals',
  },
  help: seedWords.help,
  run: ({ tenant, json = false, ...options }: Partial<SeedCommand> & Record<string, unknown>) =>
    runSeed({ count: String(options[seedWords.name]), tenant, json }),
}

export interface SeedCommand {
  readonly count: string
  /** Whose they are to be, where tenants share the store. */
  readonly tenant: string | undefined
  readonly json: boolean
}

const batchSize = 1000

/** Answers with the exit code. */
export async function runSeed({ count, tenant, json }: SeedCommand): Promise<number> {
  const bar = createProgressBar(process.stderr, 'documents')
  let interrupted = false
  // The first Ctrl-C ends it after the batch that is under way, a second one at once.
  process.once('SIGINT', () => (interrupted = true))
  const seen = { written: 0, there: 0 }
  try {
    const size = readSeedSize(count)
    if (typeof size === 'string') throw new ConfigError(size)
    if (!readConfig(process.env).shipped) throw new ConfigError('"quire seed" makes documents of the shipped schema, and the settings name another one. Leave it out, or fill yours with "quire import".')
    const { declaration, open } = await readToFill(process.env)
    checkTenant(declaration.tenants, tenant)
    const store = await open()
    try {
      const share = shareOf(declaration, store, tenant)
      await markFilled(store)
      await withStoredCopies(declaration, store)
      const seed = createSeed(declaration.model, size)
      let done = 0
      for (const { writes, documents } of seed.batches(batchSize)) {
        const written = await writeAbsent(share, writes)
        seen.written += written
        seen.there += writes.length - written
        bar.update(done += documents, seed.documents)
        // A store in this process answers without anyone waiting: this is when signals have their turn.
        await turn()
        if (interrupted) break
      }
    } finally {
      await store.close()
    }
  } catch (error) {
    bar.clear()
    return printError(error)
  }
  bar.clear()
  if (json) console.log(JSON.stringify({ ...seen, ended: !interrupted }))
  else console.log(`${interrupted ? 'Stopped. What is written stays; the same command goes on from there: ' : ''}${seen.written} documents written, ${seen.there} were there already.`)
  return interrupted ? 130 : 0
}

/** What is there may have been changed since, and is left as it is. */
async function writeAbsent(store: Store, batch: readonly Write[]): Promise<number> {
  const absent: Write[] = []
  for (const [container, writes] of Map.groupBy(batch, (write) => write.container)) {
    for (let at = 0; at < writes.length; at += store.supports.keysPerRequest) {
      const some = writes.slice(at, at + store.supports.keysPerRequest)
      const found = await store.readMany(container, some.map(({ key }) => key))
      absent.push(...some.filter((_, index) => !found[index]))
    }
  }
  await writeAll(store, absent)
  return absent.length
}
