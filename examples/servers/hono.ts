// Hono: a route hands its Request to the gateway. Here it serves /api/graphql, /api/health and /api/ready.

import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { openGateway } from './gateway.ts'
import { userOf, type User } from './users.ts'

// The viewer is the user that a middleware has found.
const gateway = await openGateway({ identity: 'server' })

const app = new Hono<{ Variables: { user: User | undefined } }>()
app.use(async (context, next) => {
  context.set('user', await userOf(context.req.header('authorization')))
  await next()
})
app.all('/api/*', (context) => gateway.fetch(context.req.raw, { viewer: context.get('user') }))
app.get('/', (context) => context.text('The rest of your app'))

const server = serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 4000) }, ({ port }) => console.log(`http://127.0.0.1:${port}/api/graphql`))

process.once('SIGTERM', () => {
  server.close()
  void gateway.dispose()
})
