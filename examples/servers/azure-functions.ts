// Azure Functions v4: an HTTP function at /api/graphql; what follows in the path are GraphiQL's files.

import { app, type HttpRequest, type HttpResponseInit } from '@azure/functions'
import { openGateway } from './gateway.ts'

// Opened by the first request, and used by all others of this instance.
let opened: ReturnType<typeof openGateway> | undefined

export async function graphql(request: HttpRequest): Promise<HttpResponseInit> {
  const gateway = await (opened ??= openGateway({ identity: 'server' }))
  // The user that App Service authentication has signed in.
  const viewer = request.user && { id: request.user.id, roles: ['editor'] }
  const { status, headers, body } = await gateway.fetch(request, { viewer })
  return { status, headers, body }
}

// Subscriptions need streams.
app.setup({ enableHttpStream: true })
app.http('graphql', { methods: ['GET', 'POST', 'OPTIONS'], authLevel: 'anonymous', route: 'graphql/{*assets}', handler: graphql })
app.hook.appTerminate(async () => (await opened)?.dispose())
