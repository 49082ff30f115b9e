// A minimal GraphQL server: node:http, graphql-jit, DataLoader. Each document is parsed, validated and compiled once. It has no
// limits and does not mask errors.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { parse, validate } from 'graphql'
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit'
import { openLibrary } from './library.ts'
import { listen } from './listen.ts'
import { logRequests } from './request-log.ts'
import { createContext, createResolvers, typeDefs } from './schema.ts'

const library = openLibrary(process.env)
const schema = makeExecutableSchema({ typeDefs, resolvers: createResolvers(library) })
const compiled = new Map<string, CompiledQuery>()
const logRequest = logRequests()

listen(createServer((request, response) => {
  logRequest(request, response)
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => void answer(Buffer.concat(chunks).toString(), request, response))
}))

async function answer(body: string, { headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> }
  const operation = compiled.get(query) ?? compile(query)
  const json = operation.stringify(await operation.query(undefined, await createContext(library, headers.authorization), variables))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
  response.end(json)
}

function compile(query: string): CompiledQuery {
  const document = parse(query)
  const [problem] = validate(schema, document)
  if (problem) throw problem
  const operation = compileQuery(schema, document)
  if (!isCompiledQuery(operation)) throw new Error(JSON.stringify(operation))
  compiled.set(query, operation)
  return operation
}
