// Next: a route handler at /api/graphql; what follows in the path are GraphiQL's files.

import { openGateway } from '../../../../gateway.ts'
import { userOf } from '../../../../users.ts'

/** Opened by the first request, not by `next build`, and kept when Next reloads this file. */
const kept = globalThis as { gateway?: ReturnType<typeof open> }

async function open() {
  const gateway = await openGateway({ identity: 'server' })
  // Ends subscriptions, whose connections would keep Next from closing.
  process.once('SIGTERM', () => void gateway.dispose())
  return gateway
}

async function handle(request: Request): Promise<Response> {
  const gateway = await (kept.gateway ??= open())
  // With Auth.js: (await auth())?.user
  const viewer = await userOf(request.headers.get('authorization'))
  return gateway.fetch(request, { viewer })
}

export { handle as GET, handle as OPTIONS, handle as POST }
