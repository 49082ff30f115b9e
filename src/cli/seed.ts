// `quire seed`: writes generated documents, batch by batch. The schema folder's seed.ts generates them.

import { setImmediate as turn } from 'node:timers/promises'
import { readConfig } from '../config/config.ts'
import { readSeedCount, readSeedFile, seedBatches } from '../serve/schema-folder/seed-file.ts'
import { readAll } from '../store/read-all.ts'
import { writeAll } from '../store/write-all.ts'
import type { Store, Write } from '../store/store.ts'
import type { Model } from '../model/model.ts'
import { withReservations } from '../write/unique/reservations.ts'
import type { CliCommand } from './command/command.ts'
import { runLongCommand } from './command/long-command.ts'
import { readToFill } from './command/open-stored.ts'

export const command: CliCommand = {
  arguments: { '<count>': 'how many; seed.ts in the schema folder says of what' },
  settings: ['schema', 'store'],
  options: {
    '--tenant <name>': 'the tenant that gets the documents, where tenants share the store',
    '--json': 'print one JSON object with the totals',
  },
  help: `
The schema folder generates the documents: its seed.ts exports "seed", an object with
  singular, plural     what is counted, such as "order" and "orders"
  max                  the largest count
  batches(count)       a generator of documents by type: yield { Order: [{ id: "1" }] }
  total(count)         optional: how many documents that is, for the progress bar

The command writes only documents that do not exist yet, so you can stop it at any time and run it again to continue.

Exits with 0 when all documents are there, with 2 when it cannot run, with 130 when it was stopped.

Example:
  $ quire seed 100000 --store sqlite:large.db`,
  run: ({ tenant, json = false }: Partial<SeedCommand>, count: string) => runSeed({ count, tenant, json }),
}

export interface SeedCommand {
  readonly count: string
  /** The tenant that owns the documents, where tenants share the store. */
  readonly tenant: string | undefined
  readonly json: boolean
}

const batchSize = 1000

/** Returns the exit code. */
export async function runSeed({ count: text, tenant, json }: SeedCommand): Promise<number> {
  const seen = { written: 0, there: 0 }
  return runLongCommand({ json, counts: 'documents' }, async (run) => {
    const seed = await readSeedFile(readConfig(process.env).schemaFolder)
    const count = readSeedCount(text, seed.value)
    const { fill } = await readToFill(process.env, tenant)
    await fill(async (store, { model }) => {
      const total = seed.value.total?.(count)
      let done = 0
      for (const { writes, documents } of seedBatches(model, seed, count, batchSize)) {
        const written = await writeAbsent(store, model, writes)
        seen.written += written
        seen.there += writes.length - written
        if (total !== undefined) run.progress(done += documents, total)
        // A store in this process answers synchronously: without this, no signal would ever be handled.
        await turn()
        run.signal.throwIfAborted()
      }
    })
  }, (ended) => ({
    totals: seen,
    summary: `${ended ? '' : 'Stopped. The documents written so far stay, and the same command continues from here: '}${seen.written} documents written, ${seen.there} already there.`,
    exitCode: ended ? 0 : 130,
  }))
}

/** Skips documents that exist: a client may have changed them since. */
async function writeAbsent(store: Store, model: Model, batch: readonly Write[]): Promise<number> {
  const absent: Write[] = []
  for (const [container, writes] of Map.groupBy(batch, (write) => write.container)) {
    const found = await readAll(store, container, writes.map(({ key }) => key))
    absent.push(...writes.filter((_, index) => !found[index]))
  }
  await writeAll(store, await withReservations(model, absent, store))
  return absent.length
}
