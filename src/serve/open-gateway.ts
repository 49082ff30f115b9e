// Opens the gateway that the settings describe: their schema on their store. If it fails, it closes everything again.

import type { Config } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import type { Gateway } from '../http/gateway-server.ts'
import { createGateway } from '../gateway.ts'
import { createJwtIdentity } from '../auth/jwt-identity.ts'
import type { Log } from '../observe/log/log.ts'
import { readTrustedDocuments } from './read-trusted-documents.ts'
import type { SchemaFolder } from './schema-folder.ts'
import type { Memory } from '../store/memory/memory-store.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { StoredState } from '../observe/stored-state.ts'
import { recordToFile } from '../observe/workload/record-to-file.ts'
import type { WorkerProcess } from './workers/worker-process.ts'

export interface Surroundings {
  /** The content of a memory store that an earlier gateway used. */
  readonly memory?: Memory
  /** The process, if it is one of several workers. */
  readonly worker?: WorkerProcess | undefined
  /** What its metrics and pages tell about the stored documents. */
  readonly storedState?: StoredState
  /** Called if stored documents do not have everything that is declared yet. */
  readonly whenIncomplete?: () => void
}

export async function openGateway(config: Config, schema: SchemaFolder, log: Log, { memory, worker, storedState, whenIncomplete }: Surroundings = {}): Promise<Gateway> {
  const { development, strategy, effects, origins, limits, budget, tenants } = config
  const load = worker ? worker.shareOf(config.load) : config.load
  const trustedDocuments = config.trustedDocuments === undefined ? undefined : readTrustedDocuments(config.trustedDocuments)
  const record = config.record === undefined ? undefined : await recordToFile(config.record)
  const identity = config.identity && (await createJwtIdentity(config.identity))
  if (tenants !== undefined && !identity) throw new ConfigError('QUIRE_TENANTS is set and QUIRE_JWKS is not, so no request could prove its tenant. Set QUIRE_JWKS to the keys that sign tokens, or omit both.')
  let opened: Store | undefined
  try {
    return await createGateway({
      ...schema, development, strategy, effects, openPages: config.pages, openMetrics: config.metrics, record, log, origins, limits, budget, trustedDocuments, identity, load,
      tenants: tenants !== undefined, siblings: worker?.link.feed, metricsOfAll: worker?.link.metrics, sharedLimits: worker?.link.limits, storedState,
      ...(whenIncomplete ? { whenIncomplete } : {}),
      store: async (layout) => {
        const store = await openStore(config.store, layout, memory)
        // It may be opened again, to look into containers that the schema has left; that one is closed at once.
        opened ??= store
        return store
      },
    })
  } catch (error) {
    await opened?.close()
    throw error
  }
}
