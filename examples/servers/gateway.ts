// The gateway that every recipe in this folder mounts. Everyone may read notes, editors may write them.

import { createGateway, type ChangeEvent, type Gateway, type GatewayOptions, type ResolverContext } from 'quire-graphql'
import { openSqliteStore } from 'quire-graphql/sqlite'

const typeDefs = `
  type Note @document(container: "notes") @writable(roles: ["editor"]) {
    id: ID!
    text: String!
  }
  type Subscription {
    noteChanged(after: String): Note!
  }
`

const resolvers = {
  Subscription: {
    noteChanged: {
      subscribe: (_: unknown, { after }: { after?: string | null }, { quire }: ResolverContext) => quire.changes.of('Note', after),
      resolve: ({ document }: ChangeEvent) => document,
    },
  },
}

export function openGateway(options: Partial<GatewayOptions> = {}): Promise<Gateway> {
  return createGateway({
    typeDefs,
    resolvers,
    store: (layout) => openSqliteStore(process.env['DATABASE'] ?? 'notes.db', layout),
    development: process.env['NODE_ENV'] !== 'production',
    ...options,
  })
}
