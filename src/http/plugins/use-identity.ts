// Identifies the viewer before anything of a request runs. An invalid token is answered with what is wrong with it.

import type { IncomingMessage } from 'node:http'
import type { Plugin } from 'graphql-yoga'
import type { Identity } from '../../auth/identity.ts'
import { requestState } from '../../auth/request-state.ts'

export function useIdentity(identity: Identity): Plugin {
  return {
    async onParams({ request, context }) {
      const { req = request } = context as { req?: IncomingMessage }
      requestState(request).viewer = await identity.viewerOf(request.headers, req)
    },
  }
}
