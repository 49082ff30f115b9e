// What a server was sent for clients: without the looks for migrations, which a gateway makes now and then, for nobody.

import type { LoggedRequest } from '../../../src/emulator/log.ts'

export function sentForClients<Request extends Pick<LoggedRequest, 'operation' | 'container'>>(log: readonly Request[]): Request[] {
  return log.filter(({ operation, container }) => operation !== 'read' || container !== 'quire')
}
