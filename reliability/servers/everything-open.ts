// A gateway as `quire start` runs it in production, but without any access rules, which no setting allows: for scenarios that
// are not about access, and so that hostile requests also reach what rules would block.

import { readConfig } from '../../src/config/config.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { GatewaySwap } from '../../src/serve/gateway-swap.ts'
import { listen } from '../../src/serve/listen.ts'
import { openGateway } from '../../src/serve/open-gateway.ts'
import { openLog } from '../../src/serve/open-log.ts'

const config = readConfig(process.env)
const log = openLog(config)
const openToAll = { openReads: true, openWrites: true }
const gateway = await openGateway(config, { ...(await readSchemaFolder(config.schemaFolder)), ...openToAll }, log)
await listen(config, log, new GatewaySwap(gateway))
