// A gateway as `quire start` runs it in production, only that everyone may write: who may is not what is shown here.

import { readConfig } from '../src/config.ts'
import { openDomain } from '../src/domain.ts'
import { createGateway } from '../src/gateway.ts'
import { listen } from '../src/listen.ts'
import { openLog } from '../src/open-gateway.ts'
import { openStore } from '../src/store/open-store.ts'

const config = readConfig(process.env)
const log = openLog(config)
const gateway = await createGateway({ ...(await openDomain(config)), effects: config.effects, log, openWrites: true, store: (layout) => openStore(config.store, layout) })
await listen(config, log, (request, response) => void gateway(request, response), async () => gateway.dispose())
