// A production gateway with the defaults of one, open to everyone, over documents that point at each other as densely as their schema
// allows. RELIABILITY_SCHEMA is the number of the schema, RELIABILITY_DOCUMENTS how many documents each of its types has.

import { readConfig } from '../../src/config/config.ts'
import { createGateway } from '../../src/gateway.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { GatewaySwap } from '../../src/serve/gateway-swap.ts'
import { listen } from '../../src/serve/listen.ts'
import { openLog } from '../../src/serve/open-log.ts'
import { openStore } from '../../src/store/open-store.ts'
import { documentWrites } from '../../test/harness.ts'
import { denseDocuments } from '../../test/hostile/dense-documents.ts'
import { growingSchemas } from '../../test/hostile/growing-schemas.ts'

const config = readConfig(process.env)
const log = openLog(config)
const [, schema] = growingSchemas[Number(process.env['RELIABILITY_SCHEMA'] ?? 0)]!
const documents = denseDocuments(readDeclaration(schema.typeDefs, schema.derive), Number(process.env['RELIABILITY_DOCUMENTS'] ?? 60))
const gateway = await createGateway({
  ...schema, development: false, openReads: true, load: config.load, log, store: (layout) => openStore(config.store, layout),
  seed: ({ model }) => documentWrites(model, documents),
})
await listen(config, log, new GatewaySwap(gateway))
