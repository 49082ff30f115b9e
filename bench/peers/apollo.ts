// Apollo Server with DataLoader, on Fastify. Its cache of parsed documents is on by default.

import type { AddressInfo } from 'node:net'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import Fastify from 'fastify'
import { openLibrary } from './library.ts'
import { printReady } from './listen.ts'
import { fastifyOptions } from './request-log.ts'
import { createContext, createResolvers, typeDefs, type PeerContext } from './schema.ts'

const library = openLibrary(process.env)
const apollo = new ApolloServer<PeerContext>({ typeDefs, resolvers: createResolvers(library), introspection: false, plugins: [ApolloServerPluginLandingPageDisabled()] })
await apollo.start()
const app = Fastify(fastifyOptions)
app.post('/graphql', fastifyApolloHandler(apollo, { context: async ({ headers }) => createContext(library, headers.authorization) }))
await app.listen({ port: 0, host: '127.0.0.1' })
printReady((app.server.address() as AddressInfo).port)
