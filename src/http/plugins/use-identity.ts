// Identifies the viewer before anything of a request runs. An invalid token is answered with what is wrong with it.

import type { Plugin } from 'graphql-yoga'
import type { Identity } from '../../auth/identity.ts'
import { requestState } from '../../auth/request-state.ts'

export function useIdentity(identity: Identity): Plugin {
  return {
    async onParams({ request }) {
      requestState(request).viewer = await identity.viewerOf(request.headers)
    },
  }
}
