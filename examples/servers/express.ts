// Express 5: the gateway is a handler below any path. Here it serves /api/graphql, /api/health and /api/ready.

import express from 'express'
import { openGateway } from './gateway.ts'
import { userOf, type User } from './users.ts'

declare module 'express-serve-static-core' {
  interface Request {
    user?: User | undefined
  }
}

// The viewer is the user that a middleware before the gateway has found.
const gateway = await openGateway({ identity: 'server' })

const app = express()
app.use(async (request, _, next) => {
  request.user = await userOf(request.headers.authorization)
  next()
})
app.use('/api', (request, response) => gateway(request, response, { viewer: request.user }))
app.get('/', (_, response) => response.send('The rest of your app'))

const server = app.listen(Number(process.env['PORT'] ?? 4000), () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}/api/graphql`)
})

process.once('SIGTERM', () => {
  server.close()
  // Answers what runs, ends subscriptions, and closes the store.
  void gateway.dispose().then(() => server.closeIdleConnections())
})
