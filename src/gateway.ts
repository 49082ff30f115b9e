// The gateway: a schema that says how things are stored, and a store, become a Yoga server. This
// file only connects the parts.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { makeExecutableSchema } from '@graphql-tools/schema'
import type { IResolvers } from '@graphql-tools/utils'
import { getOperationAST, OperationTypeNode, type DocumentNode, type ExecutionArgs } from 'graphql'
import { createYoga, maskError, useReadinessCheck, type YogaServerInstance } from 'graphql-yoga'
import { accountFor } from './account.ts'
import { ChangeStream, type ChangeEvent } from './change-stream.ts'
import type { Freshness } from './choice.ts'
import { KnownOperations } from './compiled/known-operations.ts'
import { Quickly, type Prepared } from './compiled/quickly.ts'
import { createSteps } from './compiled/steps.ts'
import { readDeclaration, type Declaration } from './declaration.ts'
import { knownError } from './errors.ts'
import { createCursors } from './keys/cursor.ts'
import { Ledger } from './loaders/ledger.ts'
import type { Strategy } from './loaders/loader.ts'
import { Reads } from './loaders/reads.ts'
import { createMutate, createMutations, refuseToMutate } from './mutations.ts'
import { keptSecret, seedOnce } from './own-documents.ts'
import { usualPageSizes, type PageSizes } from './pages.ts'
import { Plan, planOperation } from './plan.ts'
import { useErrorCodes } from './plugins/use-error-codes.ts'
import { useNumbers } from './plugins/use-numbers.ts'
import { useOperation, type Operation } from './plugins/use-operation.ts'
import { useSite } from './plugins/use-site.ts'
import { Propagator } from './propagation/propagator.ts'
import { alwaysTrue, Watermark } from './propagation/watermark.ts'
import { follow } from './propagation/follow.ts'
import { policyFromHeaders, sessionToken } from './read-policy.ts'
import type { Derive } from './relations/kind.ts'
import { createResolvers } from './resolvers.ts'
import { Numbers } from './site/numbers.ts'
import { withShortWay, type Asked } from './short-way.ts'
import { createSite } from './site/site.ts'
import type { Example } from './site/welcome.ts'
import type { ContainerLayout, Store, Write } from './store/store.ts'
import type { Recorder } from './workload/recorder.ts'
import { Writer, type EffectsMode } from './writes/writer.ts'

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
  /** Whether everyone may write. Nothing else opens writes yet, so without it they are refused; in development it goes without saying. */
  readonly openWrites?: boolean
  /** The operations that GraphiQL opens with; without any, one that fits the schema. */
  readonly examples?: readonly Example[]
  /** Whether everyone may see the storage map and the numbers on the landing page; in development it goes without saying. */
  readonly openPages?: boolean | undefined
  /** The folder that GraphiQL has been built into. */
  readonly builtPages?: string
  /** `naive` makes one read per reference, with no copies and no batching: the yardstick. */
  readonly strategy?: Strategy
  readonly pageSizes?: Partial<PageSizes>
  /** Whether known queries are answered by compiled plans; without, GraphQL.js runs everything. The answers are the same. */
  readonly compiles?: boolean
  /** How much memory known operations and their compiled plans may take. */
  readonly planBytes?: number
  /** Signs cursors. Without one, a secret is made once and kept in the store. */
  readonly cursorSecret?: string
  /** Whether copies are written together with what they copy, where the store can, or always follow through the change feed. */
  readonly effects?: EffectsMode
  /** How often the change feed is looked at; by default as often as looking is cheap. */
  readonly followEveryMs?: number
  /** Whether this gateway carries changes to copies, or leaves that to others on the same store. */
  readonly propagates?: boolean
  /** What copies have seen; by default what this gateway knows of it. */
  readonly freshness?: () => Freshness
  /** Records the workload, for `quire advise`: `await recordToFile('workload.json')`. */
  readonly record?: Recorder | undefined
}

export type Gateway = YogaServerInstance<object, object>

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { typeDefs, derive = {}, development = false, strategy = 'gathered', effects = 'together', openWrites = development, record, compiles = strategy !== 'naive' && !record } = options
  const declaration = readDeclaration(typeDefs, derive)
  const store = await options.store(declaration.layout)
  if (options.seed) await seedOnce(store, declaration, options.seed)
  const cursors = createCursors(options.cursorSecret ?? (await keptSecret(store)))
  const writer = new Writer(declaration, store, effects, record && ((entries, own) => record.written(declaration, entries, own)))
  // A store that cannot write copies together with what they copy has them follow.
  const feeds = effects === 'feed' || store.supports.atomic !== 'store'
  const watches = options.propagates !== false || !options.freshness
  const following = feeds && watches ? await followChanges(declaration, store, options) : undefined
  const freshness = options.freshness ?? (() => following?.watermark.freshness ?? alwaysTrue)
  const changes = new ChangeStream(declaration, store, cursors, everyMsOf(options, store))
  const numbers = new Numbers()
  const site = createSite({
    model: declaration.model,
    graphiql: development,
    open: options.openPages ?? development,
    naive: strategy === 'naive',
    numbers: () => numbers.report(freshness().boundMs),
    examples: options.examples,
    built: options.builtPages,
  })
  const pageSizes = { ...usualPageSizes, ...options.pageSizes }
  const schema = makeExecutableSchema({
    typeDefs: declaration.sdl,
    resolvers: [createResolvers({ declaration, cursors, pageSizes }), { Mutation: createMutations(declaration) }, options.resolvers ?? {}],
    resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
  })

  const steps = createSteps(declaration, coordinatesIn(options.resolvers ?? {}))
  const known = new KnownOperations({ schema, declaration, steps, bytes: options.planBytes ?? usualPlanBytes })
  const quickly = new Quickly({ known, freshness, createReads: () => new Reads(store, strategy) })
  const contextOf = (plan: Plan, reads: Reads, mutate = refuseToMutate) => ({ quire: { plan, reads, changes, mutate } })

  function begin({ document, operationName, variableValues, contextValue }: ExecutionArgs, request: Request): Operation {
    const trace = request.headers.get('quire-trace')
    const traced = trace === '1' || (development && trace !== '0')
    const ledger = traced || record ? new Ledger() : undefined
    const operation = getOperationAST(document, operationName)!
    const policy = policyFromHeaders((name) => request.headers.get(name))
    const { query } = (contextValue as { params: { query?: string } }).params
    if (compiles && !ledger && query !== undefined && operation.operation === OperationTypeNode.QUERY) {
      const prepared = quickly.prepare(known.add(query, operationName ?? undefined, document, operation), variableValues ?? {}, policy)
      if (prepared) return quickOperation(prepared, contextValue as object)
    }
    const seen = freshness()
    const plan = planOperation({
      schema,
      declaration,
      document,
      operation,
      variables: variableValues ?? {},
      // What a mutation answers has seen that mutation, which copies that follow later have not.
      policy: operation.operation === OperationTypeNode.MUTATION ? { ...policy, seenMs: Infinity } : policy,
      freshness: seen,
      naive: strategy === 'naive',
    })
    const reads = new Reads(store, strategy, ledger)
    let writtenMs = 0
    return {
      context: contextOf(plan, reads, openWrites ? createMutate(writer, reads, async () => (writtenMs = (await store.now()).latest)) : refuseToMutate),
      headers: () => (writtenMs > 0 ? { 'quire-session': sessionToken(writtenMs) } : {}),
      end(event) {
        if (ledger) record?.operation(declaration, plan, ledger, strategy === 'naive')
        return saidOf(traced && ledger ? accountFor(ledger, plan, store, seen.boundMs) : undefined, event as Partial<ChangeEvent> | undefined)
      },
    }
  }

  /** GraphQL.js remembers in a plan where it is, so it gets one of its own. */
  function quickOperation(prepared: Prepared, context: object): Operation {
    const { planned: { plan }, reads } = prepared
    return {
      context: contextOf(new Plan(plan.roots), reads),
      quick: () => quickly.answer(prepared, { ...context, ...contextOf(plan, reads) }),
      end: () => undefined,
    }
  }

  async function answerKnown({ query, operationName, variables }: Asked, { headers }: IncomingMessage): Promise<string | undefined> {
    const operation = known.find(query, operationName)
    const prepared = operation && quickly.prepare(operation, variables, policyFromHeaders((name) => headers[name]?.toString() ?? null))
    if (!prepared || prepared.planned.custom) return undefined
    const text = await quickly.answer(prepared, contextOf(prepared.planned.plan, prepared.reads))
    if (text !== undefined) numbers.count(false, undefined)
    return text
  }

  const yoga = createYoga<object, object>({
    schema,
    // The site has its own, with a panel and without a CDN.
    graphiql: false,
    landingPage: false,
    maskedErrors: { maskError: (error, message, isDev) => knownError(error) ?? maskError(error, message, isDev) },
    healthCheckEndpoint: '/health',
    logging: development ? 'warn' : 'error',
    plugins: [
      // Answers before anything of the request is looked at.
      useReadinessCheck({ endpoint: '/ready', check: () => store.ping().then(() => true) }),
      // Pages are no operations.
      useSite(site),
      useOperation(begin),
      // Sees every error, also of operations that never ran.
      useErrorCodes(),
      // Counts what is about to be answered, account and errors and all.
      useNumbers(numbers),
      {
        async onDispose() {
          await Promise.all([following?.stop(), changes.stop()])
          await record?.stop()
          await store.close()
        },
      },
    ],
  })
  // What is traced takes the long way, and so does whoever asks from another origin: Yoga knows the rules for that.
  return development || !compiles ? yoga : withShortWay(yoga, { path: '/graphql', notWith: ['quire-trace', 'origin', 'content-encoding'], mostBytes: 100_000, answer: answerKnown })
}

/** Enough for some thousand different operations. */
const usualPlanBytes = 32 * 1024 * 1024

/** The `Type.field` of every resolver. */
function coordinatesIn(resolvers: IResolvers): Set<string> {
  return new Set(Object.entries(resolvers).flatMap(([type, fields]) => Object.keys(fields as object).map((field) => `${type}.${field}`)))
}

/** What an answer says beside its data: its account, where it is traced, and where an event stands. */
function saidOf(account: Promise<object> | undefined, event: Partial<ChangeEvent> | undefined): Promise<Record<string, unknown>> | undefined {
  if (!event?.cursor) return account?.then((quire) => ({ quire }))
  return Promise.resolve(account).then((quire) => ({ quire: { ...quire, cursor: event.cursor } }))
}

/** Looking costs something where charges are measured. */
function everyMsOf({ followEveryMs }: GatewayOptions, { supports }: Store): number {
  return followEveryMs ?? (supports.charges === 'measured' ? 1000 : 200)
}

async function followChanges(declaration: Declaration, store: Store, options: GatewayOptions) {
  const { propagates = true, record } = options
  const watermark = new Watermark(store)
  const propagator = propagates ? new Propagator(declaration, store, { owner: randomUUID(), onPropagated: record && ((entries) => record.propagated(declaration, entries)) }) : undefined
  await watermark.refresh()
  const following = follow(propagator, watermark, everyMsOf(options, store), (error) => console.error('The change feed could not be followed:', error))
  return { watermark, stop: () => following.stop() }
}
