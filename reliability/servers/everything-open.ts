// A gateway as `quire start` runs it in production, only that everyone may do everything, which no setting allows: for shows that
// are about something else than who may, and so that what rules would keep others from is attacked too.

import { readConfig } from '../../src/config/config.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { GatewaySwap } from '../../src/serve/gateway-swap.ts'
import { listen } from '../../src/serve/listen.ts'
import { openGateway, openLog } from '../../src/serve/open-gateway.ts'

const config = readConfig(process.env)
const log = openLog(config)
const openToAll = { openReads: true, openWrites: true }
const gateway = await openGateway(config, { ...(await readSchemaFolder(config.schemaFolder)), ...openToAll }, log)
await listen(config, log, new GatewaySwap(gateway))
