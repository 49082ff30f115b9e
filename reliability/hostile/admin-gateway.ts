// A second gateway over the store of the attacked one, in development and open to everyone: the administrator's access where
// no token grants it.

import { readConfig } from '../../src/config/config.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { openGateway } from '../../src/serve/open-gateway.ts'
import type { Ask } from './hostile-request.ts'

export interface AdminGateway {
  readonly ask: Ask
  readonly close: () => Promise<void>
}

export async function openAdminGateway(env: Readonly<Record<string, string>>): Promise<AdminGateway> {
  const config = readConfig({ ...env, NODE_ENV: 'development' })
  const gateway = await openGateway(config, await readSchemaFolder(config.schemaFolder), createLog({ level: 'silent', readable: false }))
  return {
    async ask(query, variables) {
      const response = await gateway.fetch('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query, variables }) })
      return (await response.json()) as Awaited<ReturnType<Ask>>
    },
    close: async () => gateway.dispose(),
  }
}
