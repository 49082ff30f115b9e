// Yoga with DataLoader, as in its documentation. Its caches of parsed and validated documents are on by default.

import { createServer } from 'node:http'
import { createSchema, createYoga } from 'graphql-yoga'
import { openLibrary } from './library.ts'
import { listen } from './listen.ts'
import { createContext, createResolvers, typeDefs } from './schema.ts'

const library = openLibrary(process.env)
const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers: createResolvers(library) }),
  context: ({ request }) => createContext(library, request.headers.get('authorization')),
  logging: false,
  graphiql: false,
  landingPage: false,
  cors: false,
  multipart: false,
})
listen(createServer((request, response) => void yoga(request, response)))
