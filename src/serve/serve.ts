// Serves what the settings describe, in this process: alone, or as one of several workers.

import type { Config } from '../config/config.ts'
import { processClock } from '../clock.ts'
import { MigrationUnderWayError } from '../evolve/declared/migration-errors.ts'
import type { Log } from '../observe/log/log.ts'
import { StoredState } from '../observe/stored-state.ts'
import { CatchUp } from './catch-up.ts'
import { GatewaySwap } from './gateway-swap.ts'
import { listen } from './listen.ts'
import { openGateway } from './open-gateway.ts'
import { openLog } from './open-log.ts'
import { readSchemaFolder } from './schema-folder.ts'
import type { WorkerProcess } from './workers/worker-process.ts'

export async function serve(config: Config, worker?: WorkerProcess): Promise<void> {
  const log = openLog(config, worker?.id)
  const schema = await readSchemaFolder(config.schemaFolder)
  const storedState = new StoredState()
  let isIncomplete = false
  const gateways = new GatewaySwap(await whenMigrated(log, () => openGateway(config, schema, log, { worker, storedState, whenIncomplete: () => (isIncomplete = true) })))
  const catchUp = new CatchUp()
  await listen(config, log, {
    get open() {
      return gateways.open
    },
    answer: (request, response) => gateways.answer(request, response),
    leave: (leaves) => gateways.leave(leaves),
    async close() {
      await catchUp.stop()
      await gateways.close()
    },
  }, worker?.link)
  if (isIncomplete) catchUp.begin({ config, schema, log, state: storedState, open: () => openGateway(config, schema, log, { worker, storedState }), put: (gateway) => gateways.put(gateway) })
}

/** Documents are copied for this schema while gateways of the old one serve. It begins as soon as they are handed over. */
async function whenMigrated<T>(log: Log, open: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof MigrationUnderWayError)) throw error
      log.warn({}, error.differences[0]!)
      await processClock.pause(waitMs)
    }
  }
}

const waitMs = 2000
