// Quire as `npm start` runs it, with gateway options that have no setting: they come as JSON in BENCH_GATEWAY.

import { createServer } from 'node:http'
import { readConfig } from '../../src/config/config.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { openStore } from '../../src/store/open-store.ts'
import { listen } from '../peers/listen.ts'

export type LaunchOptions = Pick<GatewayOptions, 'pageSizes' | 'openWrites'>

const config = readConfig(process.env)
const { development, strategy, effects } = config
const options = JSON.parse(process.env['BENCH_GATEWAY'] ?? '{}') as LaunchOptions
const gateway = await createGateway({ ...(await readSchemaFolder(config.schemaFolder)), store: (layout) => openStore(config.store, layout), development, strategy, effects, ...options })
listen(createServer(gateway))
