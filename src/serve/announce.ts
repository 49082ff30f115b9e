// What a gateway prints when it is ready: one line with its address on standard output, and above it, on standard error, what
// a developer should know.

import type { Config } from '../config/config.ts'
import { builtPages, isBuilt, notBuilt } from '../site/graphiql-page.ts'

export function announce(address: string, { development, identity }: Config): void {
  if (development && !identity) console.warn('Development mode: every client may read and write, because no authentication is configured. NODE_ENV=production rejects writes.')
  if (development && !isBuilt(builtPages)) console.warn(notBuilt)
  console.log(`Quire is ready at ${address}`)
}
