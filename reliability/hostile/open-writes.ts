// A gateway in production in which everyone may write, which no setting allows: known mutations take the short way
// there, and that has to be attacked too.

import { readConfig } from '../../src/config.ts'
import { openDomain } from '../../src/domain.ts'
import { listen } from '../../src/listen.ts'
import { openGateway, openLog } from '../../src/open-gateway.ts'

const config = readConfig(process.env)
const log = openLog(config)
const everyoneWrites = { openWrites: true }
const gateway = await openGateway(config, { ...(await openDomain(config)), ...everyoneWrites }, log)
// oxlint-disable-next-line typescript/no-misused-promises
await listen(config, log, gateway, async () => gateway.dispose())
