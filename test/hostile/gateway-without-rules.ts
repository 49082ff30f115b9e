// A gateway that has been told where the keys of tokens are, and looks at no token and keeps to no rule.

import { readConfig } from '../../src/config/config.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { GatewaySwap } from '../../src/serve/gateway-swap.ts'
import { listen } from '../../src/serve/listen.ts'
import { openGateway } from '../../src/serve/open-gateway.ts'
import { openLog } from '../../src/serve/open-log.ts'

const config = { ...readConfig(process.env), identity: undefined }
const log = openLog(config)
const everyone = { openReads: true, openWrites: true }
await listen(config, log, new GatewaySwap(await openGateway(config, { ...(await readSchemaFolder(config.schemaFolder)), ...everyone }, log)))
