// A gateway over the sample in this process: for what cannot be measured or set from outside.

import { readConfig } from '../../src/config/config.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'

export async function openSampleGateway(options: Pick<GatewayOptions, 'store'> & Partial<GatewayOptions>): Promise<Gateway> {
  return createGateway({ ...(await readSchemaFolder(readConfig({}).schemaFolder)), openReads: true, ...options })
}
