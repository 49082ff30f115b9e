// Broken tokens with valid operations: each is rejected, and no data is returned.

import { brokenCaller, sentBy } from '../callers.ts'
import { asked, operation, type HostileClass } from '../hostile-request.ts'
import { selectionOf } from '../places.ts'
import { listsOf } from '../world.ts'

export const tokens: HostileClass = {
  name: 'broken tokens', weight: 5, suits: ({ who }) => who === 'tokens',
  make(random, world) {
    const list = random.pick(listsOf(world.schema))
    const query = random.pick(['{ __typename }', `{ ${list.field} { nodes${selectionOf(world.schema.getType(list.type) as never)} } }`, `{ ${list.field} { totalCount } }`, 'query Known { __typename }'])
    const hostile = random.chance(0.8) ? operation(query) : asked('GET', `/graphql?${new URLSearchParams({ query }).toString()}`, { accept: 'application/json', 'graphql-require-preflight': '1' })
    const caller = brokenCaller(random, world.tokens!)
    return { ...sentBy(caller, hostile), afterwards: async ({ status, headers, body }) => {
      // An overloaded gateway may refuse before it reads the token.
      if (status === 503 && headers['retry-after'] !== undefined) return []
      const refused = status === 401 && body.includes('"UNAUTHENTICATED"') && headers['www-authenticate']?.startsWith('Bearer error="invalid_token"')
      return refused ? [] : [`a token that is broken (${caller.broken}) is answered with ${status}`]
    } }
  },
}
