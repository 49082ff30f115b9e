// node:http: the gateway is a request listener. It serves /graphql, /health, /ready and its pages.

import { createServer } from 'node:http'
import { openGateway } from './gateway.ts'

const gateway = await openGateway()
const server = createServer(gateway)

server.listen(Number(process.env['PORT'] ?? 4000), () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}/graphql`)
})

process.once('SIGTERM', () => {
  server.close()
  // Answers what runs, ends subscriptions, and closes the store.
  void gateway.dispose().then(() => server.closeIdleConnections())
})
