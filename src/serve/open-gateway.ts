// A gateway as the settings say: their schema over their store. Nothing stays open when that fails.

import { ConfigError, type Config } from '../config.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import { createJwtIdentity } from '../auth/jwt-identity.ts'
import { createLog, type Log } from '../observe/log/log.ts'
import { readTrustedDocuments } from './read-trusted-documents.ts'
import type { SchemaFolder } from './schema-folder.ts'
import type { Memory } from '../store/memory/memory-store.ts'
import { kindOf, openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { recordToFile } from '../observe/workload/record-to-file.ts'

/** With a memory that is given, a store in memory has what is in it already. */
export async function openGateway(config: Config, schema: SchemaFolder, log: Log, memory?: Memory): Promise<Gateway> {
  const { development, strategy, effects, openPages, openMetrics, origins, limits, budget, answerBytes, load, tenantClaim } = config
  const trustedDocuments = config.trustedDocuments === undefined ? undefined : readTrustedDocuments(config.trustedDocuments)
  const record = config.record === undefined ? undefined : await recordToFile(config.record)
  const identity = config.identity && (await createJwtIdentity(config.identity))
  if (tenantClaim !== undefined && !identity) throw new ConfigError('QUIRE_TENANTS is set, and QUIRE_JWKS is not: nobody could say which tenant they are of. Say where the keys of tokens are, or leave both out.')
  let opened: Store | undefined
  try {
    return await createGateway({
      ...schema, development, strategy, effects, openPages, openMetrics, answerBytes, record, log, origins, limits, budget, trustedDocuments, identity, load,
      tenants: tenantClaim !== undefined,
      store: async (layout) => (opened = await openStore(config.store, layout, memory)),
    })
  } catch (error) {
    await opened?.close()
    throw error
  }
}

/** The one log of a process. The key of an account is hidden wherever it turns up. */
export function openLog({ logLevel, development, store }: Config): Log {
  return createLog({ level: logLevel, readable: development, secrets: kindOf(store).secrets?.(store) ?? [] })
}
