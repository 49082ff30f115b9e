// Serves what the settings describe, in this process: alone, or as one of several workers.

import type { Config } from '../config/config.ts'
import { GatewaySwap } from './gateway-swap.ts'
import { listen } from './listen.ts'
import { openGateway } from './open-gateway.ts'
import { openLog } from './open-log.ts'
import { readSchemaFolder } from './schema-folder.ts'
import type { WorkerProcess } from './workers/worker-process.ts'

export async function serve(config: Config, worker?: WorkerProcess): Promise<void> {
  const log = openLog(config, worker?.id)
  const gateways = new GatewaySwap(await openGateway(config, await readSchemaFolder(config.schemaFolder), log, { worker }))
  await listen(config, log, gateways, worker?.link)
}
