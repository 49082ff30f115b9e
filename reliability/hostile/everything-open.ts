// A gateway in production in which everyone may read and write everything, which no setting allows: whatever the rules
// keep others from takes the short way there, and that has to be attacked too.

import { readConfig } from '../../src/config.ts'
import { openDomain } from '../../src/domain.ts'
import { Exchange } from '../../src/exchange.ts'
import { listen } from '../../src/listen.ts'
import { openGateway, openLog } from '../../src/open-gateway.ts'

const config = readConfig(process.env)
const log = openLog(config)
const everyone = { openReads: true, openWrites: true }
const gateway = await openGateway(config, { ...(await openDomain(config)), ...everyone }, log)
await listen(config, log, new Exchange(gateway))
