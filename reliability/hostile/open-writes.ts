// A gateway in production in which everyone may write, which no setting allows: known mutations take the short way
// there, and that has to be attacked too.

import { readConfig } from '../../src/config.ts'
import { openDomain } from '../../src/domain.ts'
import { createGateway } from '../../src/gateway.ts'
import { listen } from '../../src/listen.ts'
import { openLog } from '../../src/open-gateway.ts'
import { openStore } from '../../src/store/open-store.ts'

const config = readConfig(process.env)
const log = openLog(config)
const { development, openPages, openMetrics } = config
const gateway = await createGateway({ ...(await openDomain(config)), development, openPages, openMetrics, openWrites: true, log, store: (layout) => openStore(config.store, layout) })
// oxlint-disable-next-line typescript/no-misused-promises
await listen(config, log, gateway, async () => gateway.dispose())
