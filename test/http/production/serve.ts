// A production gateway over real sockets. Tests send it text and headers byte by byte, because that is what attackers send.

import { request as send, type IncomingHttpHeaders, type Server } from 'node:http'
import type { Gateway } from '../../../src/http/gateway-server.ts'
import { createGateway, type GatewayOptions } from '../../../src/gateway.ts'
import { createLog } from '../../../src/observe/log/log.ts'
import type { Observer } from '../../../src/observe/observers.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { listenOn } from '../../over-http.ts'

export const typeDefs = `
  type Cage @document(container: "cages") {
    id: ID!
    name: String! @indexed
    mood: Mood
    animals(first: Int, after: String, last: Int, before: String): AnimalConnection! @reverse(of: "Animal.cage")
    keepers: [Keeper!]! @reference(at: "keeperIds", max: 20)
  }
  type Animal @document(container: "animals") { id: ID!  name: String!  cage: Cage @reference(at: "cageId") }
  type Keeper @document(container: "keepers") { id: ID!  name: String!  favourites: [Animal!]! @reference(at: "animalIds", max: 100) }
  enum Mood { HAPPY SLEEPY }
  extend type Query { fails: String  told(mood: Mood, moods: [Mood!]): String }
  type Subscription { cageOpened(mood: Mood): Cage! }`

const stored = {
  cages: [{ id: 'c1', name: 'Big', mood: 'HAPPY', keeperIds: ['k1'] }, { id: 'c2', name: 'Small', mood: 'SLEEPY', keeperIds: [] }],
  animals: [{ id: 'lion', name: 'Lion', cageId: 'c1' }, { id: 'owl', name: 'Owl', cageId: 'c2' }],
  keepers: [{ id: 'k1', name: 'Ann', animalIds: ['lion'] }],
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly data: Record<string, unknown> | null | undefined
  readonly errors: readonly { message: string; locations?: readonly object[]; extensions: Record<string, unknown> & { code: string } }[] | undefined
}

export interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer | undefined
  /** Without a length in advance. */
  readonly chunked?: boolean
}

export interface Served {
  readonly gateway: Gateway
  readonly server: Server
  readonly port: number
  send(sent: Sent): Promise<Answer>
  /** A POST of JSON. */
  post(body: unknown, headers?: Record<string, string>): Promise<Answer>
  ask(query: string, variables?: object): Promise<Answer>
  close(): Promise<void>
}

/** Counts operations that began. */
export interface Counted extends Observer {
  begun: number
}

export function counting(): Counted {
  const counted: Counted = { begun: 0, begin: () => void counted.begun++ }
  return counted
}

export async function serve(options: Partial<GatewayOptions> = {}): Promise<Served> {
  const gateway = await createGateway({
    typeDefs, cursorSecret: 'tests', openWrites: true, log: createLog({ level: 'silent', readable: false }), store: openMemoryStore,
    resolvers: {
      Query: {
        fails: () => {
          throw new Error('the password is swordfish')
        },
        told: (_: unknown, { mood }: { mood?: string }) => mood ?? 'nothing',
      },
      Subscription: { cageOpened: { async *subscribe() { yield { cageOpened: { key: { partition: ['c1'], id: 'c1' }, etag: '1', bytes: 100, body: stored.cages[0] } } } } },
    },
    seed: () => Object.entries(stored).flatMap(([container, bodies]) => bodies.map((body) => ({ kind: 'put', container, key: { partition: [body.id], id: body.id }, body }) as const)),
    ...options,
  })
  const { server, port } = await listenOn(gateway)
  const sending = ({ method = 'POST', path = '/graphql', headers = {}, body, chunked = false }: Sent) => new Promise<Answer>((resolve, reject) => {
    const length = chunked || body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const request = send({ port, method, path, headers: { 'x-request-id': 'mine', ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = /json/.test(response.headers['content-type'] ?? '')
        resolve({ status: response.statusCode!, headers: { ...response.headers, date: undefined }, text, ...((isJson ? JSON.parse(text) : {}) as Pick<Answer, 'data' | 'errors'>) })
      })
    })
    request.on('error', reject)
    if (body !== undefined) request.write(body)
    request.end()
  })
  const post: Served['post'] = (body, headers = {}) => sending({ headers: { 'content-type': 'application/json', ...headers }, body: typeof body === 'string' ? body : JSON.stringify(body) })
  return {
    gateway, server, port, send: sending, post,
    ask: (query, variables) => post({ query, ...(variables ? { variables } : {}) }),
    async close() {
      server.closeAllConnections()
      server.close()
      await gateway.dispose()
    },
  }
}

/** The code of the only error. */
export function codeIn({ errors }: Answer): string | undefined {
  return errors?.length === 1 ? errors[0]!.extensions.code : undefined
}
