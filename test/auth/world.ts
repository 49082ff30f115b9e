// Gateways over the same documents: with all of them, or with everything scrubbed that one viewer cannot see.

import { request as send, type Server } from 'node:http'
import { readDeclaration } from '../../src/relations/declaration.ts'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { Rules } from '../../src/auth/rules.ts'
import type { Identity } from '../../src/auth/identity.ts'
import type { Viewer } from '../../src/auth/viewer.ts'
import { placed } from '../../src/model/keys/partition.ts'
import { createLog } from '../../src/observe/log/log.ts'
import type { Store, Write } from '../../src/store/store.ts'
import type { Documents } from '../harness.ts'
import { isPart, scrubbed } from './scrub.ts'
import { listenOn, post } from '../over-http.ts'

export type Domain = Pick<GatewayOptions, 'typeDefs' | 'derive' | 'resolvers'> & { readonly documents: Documents }

export type Viewers = Readonly<Record<string, Viewer | undefined>>

/** The authorization header is the viewer's name: tokens have tests of their own. */
export function identityOf(viewers: Viewers): Identity {
  return { viewerOf: (headers) => viewers[headers.get('authorization') ?? 'nobody'] }
}

export interface World {
  readonly gateway: Gateway
  readonly store: Store
  ask(query: string, who: string, headers?: Record<string, string>): Promise<Answer>
  close(): Promise<void>
}

export interface Answer {
  readonly text: string
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly { readonly message: string; readonly path?: readonly (string | number)[]; readonly extensions: { readonly code: string } }[]
  readonly extensions?: { readonly quire: Record<string, unknown> }
}

/** `without` names a viewer: what this viewer cannot see is scrubbed. */
export async function openWorld({ documents, ...domain }: Domain, viewers: Viewers, open: GatewayOptions['store'], { without, ...options }: Partial<GatewayOptions> & { without?: string } = {}): Promise<World> {
  let opened: Store | undefined
  const gateway = await createGateway({
    ...domain, cursorSecret: 'tests', identity: identityOf(viewers), followEveryMs: 1, propagates: false, freshness: () => ({ boundMs: 0, watermark: Infinity }), log: createLog({ level: 'silent', readable: false }), ...options,
    store: async (layout) => (opened = await open(layout)),
    seed: () => writesOf({ documents, ...domain }, without === undefined ? undefined : { who: viewers[without] }),
  })
  return {
    gateway,
    store: opened!,
    async ask(query, who, headers = {}) {
      const response = await post(gateway, { query }, { ...(viewers[who] ? { authorization: who } : {}), ...headers })
      const text = await response.text()
      return { ...(JSON.parse(text) as Omit<Answer, 'text'>), text }
    },
    close: async () => gateway.dispose(),
  }
}

function writesOf({ typeDefs, derive, documents }: Domain, without: { readonly who: Viewer | undefined } | undefined): Write[] {
  const { model } = readDeclaration(typeDefs, derive)
  const there = without ? scrubbed(documents, model, new Rules({ model, reads: true, writes: true, identifies: true }).accessOf(without.who)!) : documents
  return Object.entries(there).flatMap(([name, bodies]) => {
    const type = model.documents.get(name)!
    return bodies.map((each): Write => {
      const id = String(each['id'])
      if (isPart(type, each)) return { kind: 'put', container: type.container, key: { partition: [id.split('.')[0]!], id }, body: each }
      const { partition, body } = placed(type, type.discriminator === undefined ? each : { ...each, type: type.discriminator })
      return { kind: 'put', container: type.container, key: { partition, id }, body }
    })
  })
}

/** An answer without times and etags. */
export function saidIn({ text }: Pick<Answer, 'text'>): string {
  return text.replaceAll(/"(startMs|durationMs)":[\d.]+/g, '"$1":0').replaceAll(/"etag":"[^"]*"/g, '"etag":""')
}

export interface Listening {
  readonly server: Server
  readonly ask: (query: string, who: string) => Promise<string>
  readonly close: () => void
}

/** The same gateway behind a socket, where known operations take the fast path. */
export async function listening({ gateway }: World, viewers: Viewers): Promise<Listening> {
  const { server, port, closeServer } = await listenOn(gateway)
  return {
    server,
    ask: (query, who) => new Promise((resolve, reject) => {
      const body = JSON.stringify({ query })
      const sent = send({ port, method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...(viewers[who] ? { authorization: who } : {}) } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve(Buffer.concat(chunks).toString()))
      })
      sent.on('error', reject)
      sent.end(body)
    }),
    close: closeServer,
  }
}
