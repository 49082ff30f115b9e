// The shipped library as `quire start` serves it, but open to everyone and, with RELIABILITY_LATE_MS, over a store that takes so
// long for each call. SIGUSR2 collects garbage (collect-garbage.ts).

import { delay, slowStore } from '../../bench/stores/slow-store.ts'
import { readConfig } from '../../src/config/config.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { GatewaySwap } from '../../src/serve/gateway-swap.ts'
import { createGateway } from '../../src/gateway.ts'
import { listen } from '../../src/serve/listen.ts'
import { openLog } from '../../src/serve/open-log.ts'
import { openStore } from '../../src/store/open-store.ts'
import { collectGarbage } from '../collect-garbage.ts'

const config = readConfig(process.env)
const lateMs = Number(process.env['RELIABILITY_LATE_MS'] ?? 0)
const log = openLog(config)
const gateway = await createGateway({
  ...(await readSchemaFolder(config.schemaFolder)), development: false, openReads: true, openWrites: true, openMetrics: true, load: config.load, log,
  store: async (layout) => {
    const store = await openStore(config.store, layout)
    return lateMs > 0 ? slowStore(store, delay(lateMs)) : store
  },
})
process.on('SIGUSR2', collectGarbage)
await listen(config, log, new GatewaySwap(gateway))
