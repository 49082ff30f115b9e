// A gateway as the settings say: their schema over their store. Nothing stays open when that fails.

import type { Config } from './config.ts'
import type { Domain } from './domain.ts'
import { createGateway, type Gateway } from './gateway.ts'
import type { Memory } from './store/memory.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import { recordToFile } from './workload/record-to-file.ts'

/** With a memory that is given, a store in memory has what is in it already. */
export async function openGateway(config: Config, domain: Domain, memory?: Memory): Promise<Gateway> {
  const { development, strategy, effects, openPages } = config
  const record = config.record === undefined ? undefined : await recordToFile(config.record)
  let opened: Store | undefined
  try {
    return await createGateway({
      ...domain, development, strategy, effects, openPages, record,
      store: async (layout) => (opened = await openStore(config.store, layout, memory)),
    })
  } catch (error) {
    await opened?.close()
    throw error
  }
}
