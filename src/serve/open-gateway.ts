// Opens the gateway that the settings describe: their schema on their store. If it fails, it closes everything again.

import type { Config } from '../config/config.ts'
import { ConfigError } from '../errors.ts'
import type { Gateway } from '../http/gateway-server.ts'
import { createGateway } from '../gateway.ts'
import { createJwtIdentity } from '../auth/jwt-identity.ts'
import { createLog, type Log } from '../observe/log/log.ts'
import { readTrustedDocuments } from './read-trusted-documents.ts'
import type { SchemaFolder } from './schema-folder.ts'
import type { Memory } from '../store/memory/memory-store.ts'
import { kindOf, openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { recordToFile } from '../observe/workload/record-to-file.ts'

export interface OpenOptions {
  /** The content of a memory store that an earlier gateway used. */
  readonly memory?: Memory
  /** Called if stored documents do not have everything that is declared yet. */
  readonly whenIncomplete?: () => void
}

export async function openGateway(config: Config, schema: SchemaFolder, log: Log, { memory, whenIncomplete }: OpenOptions = {}): Promise<Gateway> {
  const { development, strategy, effects, origins, limits, budget, load, tenants } = config
  const trustedDocuments = config.trustedDocuments === undefined ? undefined : readTrustedDocuments(config.trustedDocuments)
  const record = config.record === undefined ? undefined : await recordToFile(config.record)
  const identity = config.identity && (await createJwtIdentity(config.identity))
  if (tenants !== undefined && !identity) throw new ConfigError('QUIRE_TENANTS is set and QUIRE_JWKS is not, so no request could prove its tenant. Set QUIRE_JWKS to the keys that sign tokens, or omit both.')
  let opened: Store | undefined
  try {
    return await createGateway({
      ...schema, development, strategy, effects, openPages: config.pages, openMetrics: config.metrics, record, log, origins, limits, budget, trustedDocuments, identity, load,
      tenants: tenants !== undefined,
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

/** The log of the process. It hides secrets of the store, such as the key of an Azure account. */
export function openLog({ log: level, development, store }: Config): Log {
  return createLog({ level, readable: development, secrets: kindOf(store).secrets?.(store) ?? [] })
}
