// Fastify 5: a route hands its request and reply to the gateway. Here it serves /api/graphql, /api/health and /api/ready.

import Fastify from 'fastify'
import { openGateway } from './gateway.ts'
import { userOf, type User } from './users.ts'

declare module 'fastify' {
  interface FastifyRequest {
    user: User | null
  }
}

// The viewer is the user that a hook has found.
const gateway = await openGateway({ identity: 'server' })

const app = Fastify()
app.decorateRequest('user', null)
app.addHook('onRequest', async (request) => {
  request.user = (await userOf(request.headers.authorization)) ?? null
})
app.all('/api/*', (request, reply) => gateway(request, reply, { viewer: request.user }))
app.get('/', () => 'The rest of your app')
// Before Fastify waits for open connections: subscriptions keep theirs until the gateway ends them.
app.addHook('preClose', () => gateway.dispose())

const address = await app.listen({ port: Number(process.env['PORT'] ?? 4000), host: '127.0.0.1' })
console.log(`${address}/api/graphql`)

process.once('SIGTERM', () => void app.close())
