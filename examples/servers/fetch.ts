// A fetch handler, for runtimes that serve the default export of a module: Request in, Response out.

import { openGateway } from './gateway.ts'

const gateway = await openGateway()

export default {
  fetch: (request: Request): Promise<Response> => gateway.fetch(request),
}

process.once('SIGTERM', () => {
  // The moment after it is for the last events of subscriptions.
  void gateway.dispose().then(() => setTimeout(() => process.exit(), 100))
})
