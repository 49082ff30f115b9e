// Yoga with DataLoader and graphql-jit instead of the executor of GraphQL.js.

import { createServer } from 'node:http'
import { useGraphQlJit } from '@envelop/graphql-jit'
import { createSchema, createYoga } from 'graphql-yoga'
import { openLibrary } from './library.ts'
import { listen } from './listen.ts'
import { createContext, createResolvers, typeDefs } from './schema.ts'

const library = openLibrary(process.env)
const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers: createResolvers(library) }),
  context: ({ request }) => createContext(library, request.headers.get('authorization')),
  plugins: [useGraphQlJit()],
  logging: false,
  graphiql: false,
  landingPage: false,
  cors: false,
  multipart: false,
})
listen(createServer((request, response) => void yoga(request, response)))
