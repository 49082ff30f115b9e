// Mercurius with its JIT and DataLoader.

import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import mercurius from 'mercurius'
import { openLibrary } from './library.ts'
import { printReady } from './listen.ts'
import { fastifyOptions } from './request-log.ts'
import { createContext, createResolvers, typeDefs } from './schema.ts'

const library = openLibrary(process.env)
const app = Fastify(fastifyOptions)
await app.register(mercurius, {
  schema: typeDefs,
  resolvers: createResolvers(library) as never,
  context: ({ headers }) => createContext(library, headers.authorization),
  jit: 1,
  graphiql: false,
})
await app.listen({ port: 0, host: '127.0.0.1' })
printReady((app.server.address() as AddressInfo).port)
