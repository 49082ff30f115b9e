// The gateway: a schema that says how things are stored, and a store, become a Yoga server. This
// file only connects the parts.

import { randomBytes } from 'node:crypto'
import { makeExecutableSchema } from '@graphql-tools/schema'
import type { IResolvers } from '@graphql-tools/utils'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import { getOperationAST, type DocumentNode, type ExecutionArgs } from 'graphql'
import { createYoga, useReadinessCheck, type YogaServerInstance } from 'graphql-yoga'
import { accountFor } from './account.ts'
import { ownContainer, readDeclaration, type Declaration } from './declaration.ts'
import { createCursors } from './keys/cursor.ts'
import { Ledger } from './loaders/ledger.ts'
import type { Strategy } from './loaders/loader.ts'
import { Reads } from './loaders/reads.ts'
import { readSdl } from './model/read-sdl.ts'
import { createMutate, createMutations } from './mutations.ts'
import type { PageSizes } from './pages.ts'
import { planOperation } from './plan.ts'
import { useOperation, type Operation } from './plugins/use-operation.ts'
import { policyFromHeader } from './read-policy.ts'
import type { Derive } from './relations/kind.ts'
import { createResolvers } from './resolvers.ts'
import type { ContainerLayout, Store, Write } from './store/store.ts'
import { Writer } from './writes/writer.ts'

export interface GatewayOptions {
  /** SDL that says how things are stored, as text or parsed. */
  readonly typeDefs: string | DocumentNode
  /** Opens the store, told what the schema needs of it. */
  readonly store: (layout: readonly ContainerLayout[]) => Promise<Store>
  /** The functions behind `@derived` fields. */
  readonly derive?: Derive
  /** Resolvers of root fields that the schema adds by itself. */
  readonly resolvers?: IResolvers
  /** What a new store is filled with. */
  readonly seed?: (declaration: Declaration) => readonly Write[]
  /** Friendly to people: GraphiQL, and every answer carries its account. */
  readonly development?: boolean
  /** The operation that GraphiQL starts with. */
  readonly welcome?: string
  /** `naive` makes one read per reference, with no copies and no batching: the yardstick. */
  readonly strategy?: Strategy
  readonly pageSizes?: Partial<PageSizes>
  /** Signs cursors. Without one, a secret is made once and kept in the store. */
  readonly cursorSecret?: string
  /** How old copies can be at most, right now. Zero where every write changes its copies at once. */
  readonly stalenessBoundMs?: () => number
}

export type Gateway = YogaServerInstance<object, object>

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { typeDefs, derive = {}, development = false, strategy = 'gathered', stalenessBoundMs = () => 0 } = options
  const declaration = readDeclaration(typeof typeDefs === 'string' ? readSdl(typeDefs) : typeDefs, derive)
  const store = await options.store(declaration.layout)
  if (options.seed) await seedOnce(store, declaration, options.seed)
  const cursors = createCursors(options.cursorSecret ?? (await keptSecret(store)))
  const writer = new Writer(declaration, store)
  const pageSizes = { usual: 20, most: 1000, ...options.pageSizes }
  const schema = makeExecutableSchema({
    typeDefs: declaration.sdl,
    resolvers: [createResolvers({ declaration, cursors, pageSizes }), { Mutation: createMutations(declaration) }, options.resolvers ?? {}],
    resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
  })

  function begin({ document, operationName, variableValues }: ExecutionArgs, request: Request): Operation {
    const trace = request.headers.get('quire-trace')
    const ledger = trace === '1' || (development && trace !== '0') ? new Ledger() : undefined
    const boundMs = stalenessBoundMs()
    const plan = planOperation({
      schema,
      declaration,
      document,
      operation: getOperationAST(document, operationName)!,
      variables: variableValues ?? {},
      policy: policyFromHeader(request.headers.get('quire-max-stale-ms')),
      boundMs,
      naive: strategy === 'naive',
    })
    const reads = new Reads(store, strategy, ledger)
    return {
      context: { quire: { plan, reads, mutate: createMutate(writer, reads) } },
      end: () => ledger && accountFor(ledger, plan, store, boundMs).then((quire) => ({ quire })),
    }
  }

  return createYoga<object, object>({
    schema,
    // The page has to work without a network, so it does not come from a CDN.
    renderGraphiQL,
    graphiql: development && { title: 'Quire', ...(options.welcome === undefined ? {} : { defaultQuery: options.welcome }) },
    landingPage: false,
    healthCheckEndpoint: '/health',
    logging: development ? 'warn' : 'error',
    plugins: [
      // Answers before anything of the request is looked at.
      useReadinessCheck({ endpoint: '/ready', check: () => store.ping().then(() => true) }),
      useOperation(begin),
      { onDispose: () => store.close() },
    ],
  })
}

/** Seeding is repeatable, and remembered only when it is complete: a start that was cut short begins again. */
async function seedOnce(store: Store, declaration: Declaration, seed: NonNullable<GatewayOptions['seed']>): Promise<void> {
  const key = { partition: ['seeded'], id: 'seeded' }
  const [seeded] = await store.readMany(ownContainer, [key])
  if (seeded) return
  const writes = seed(declaration)
  for (let start = 0; start < writes.length; start += 1000) await store.write(writes.slice(start, start + 1000))
  await store.write([{ kind: 'put', container: ownContainer, key, body: { id: 'seeded' } }])
}

/** The same for every gateway on this store, and after every restart: cursors stay good. */
async function keptSecret(store: Store): Promise<string> {
  const key = { partition: ['cursor-secret'], id: 'cursor-secret' }
  const body = { id: key.id, secret: randomBytes(32).toString('base64url') }
  try {
    await store.write([{ kind: 'put', container: ownContainer, key, body, only: 'if-absent' }])
    return body.secret
  } catch (error) {
    const [kept] = await store.readMany(ownContainer, [key])
    if (!kept) throw error
    return kept.body['secret'] as string
  }
}
