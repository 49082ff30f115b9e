// The gateway: a schema that says how things are stored, and a store, become a Yoga server. This
// file only connects the parts.

import { randomUUID } from 'node:crypto'
import { makeExecutableSchema } from '@graphql-tools/schema'
import type { IResolvers } from '@graphql-tools/utils'
import type { DocumentNode } from 'graphql'
import { createYoga, useReadinessCheck, type YogaServerInstance } from 'graphql-yoga'
import { ChangeStream } from './change-stream.ts'
import type { Freshness } from './choice.ts'
import { createSteps } from './compiled/steps.ts'
import { readDeclaration, type Declaration } from './declaration.ts'
import { createCursors } from './keys/cursor.ts'
import type { Strategy } from './loaders/loader.ts'
import { masked } from './masked-errors.ts'
import { createMutations } from './mutations.ts'
import { createObservation } from './observe/observation.ts'
import { logFault } from './observe/log-fault.ts'
import { createLog, type Log } from './observe/log.ts'
import type { Observer, Observers } from './observe/observers.ts'
import { arrivalOf, arrived } from './observe/request.ts'
import { createYogaLog } from './observe/yoga-log.ts'
import { Operations } from './operations.ts'
import { keptSecret, seedOnce } from './own-documents.ts'
import { usualPageSizes, type PageSizes } from './pages.ts'
import { useErrorCodes } from './plugins/use-error-codes.ts'
import { useFiniteNumbers } from './plugins/use-finite-numbers.ts'
import { useLog } from './plugins/use-log.ts'
import { useMetrics } from './plugins/use-metrics.ts'
import { useNumbers } from './plugins/use-numbers.ts'
import { useObservers } from './plugins/use-observers.ts'
import { useOperation } from './plugins/use-operation.ts'
import { useRequestId } from './plugins/use-request-id.ts'
import { useSite } from './plugins/use-site.ts'
import { Propagator } from './propagation/propagator.ts'
import { alwaysTrue, Watermark } from './propagation/watermark.ts'
import { follow } from './propagation/follow.ts'
import type { Derive } from './relations/kind.ts'
import { withReadableAddress } from './readable-address.ts'
import { createResolvers } from './resolvers.ts'
import { Numbers } from './site/numbers.ts'
import { withShortWay } from './short-way.ts'
import { createSite } from './site/site.ts'
import type { Example } from './site/welcome.ts'
import { leaveStrayRejections } from './stray-rejections.ts'
import type { ContainerLayout, Store, Write } from './store/store.ts'
import { withMeter } from './store/with-meter.ts'
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
  /** Whether there are metrics for everyone at `/metrics`; in development it goes without saying. Without them nothing is counted. */
  readonly openMetrics?: boolean | undefined
  /** Where to log; by default warnings and errors go to standard error. */
  readonly log?: Log
  /** Others who want to know how operations went. */
  readonly observers?: readonly Observer[]
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
  leaveStrayRejections()
  const declaration = readDeclaration(typeDefs, derive)
  const store = await options.store(declaration.layout)
  if (options.seed) await seedOnce(store, declaration, options.seed)
  const cursors = createCursors(options.cursorSecret ?? (await keptSecret(store)))
  const writer = new Writer(declaration, store, effects, record && ((entries, own) => record.written(declaration, entries, own)))
  // A store that cannot write copies together with what they copy has them follow.
  const feeds = effects === 'feed' || store.supports.atomic !== 'store'
  const watches = options.propagates !== false || !options.freshness
  const log = options.log ?? createLog({ level: 'warn', readable: development })
  const { observers, metrics, requestLog } = await createObservation({
    log, supports: store.supports, metrics: options.openMetrics ?? development, others: options.observers,
    caches: () => caches(), boundMs: () => freshness().boundMs, deadLetters: () => following?.watermark.deadLetters ?? 0,
  })
  const followed = observers.meter ? withMeter(store, observers.meter) : store
  const following = feeds && watches ? await followChanges(declaration, followed, observers, options) : undefined
  const freshness = options.freshness ?? (() => following?.watermark.freshness ?? alwaysTrue)
  const changes = new ChangeStream(declaration, followed, cursors, everyMsOf(options, store))
  const numbers = new Numbers()
  const caches = () => ({ ...operations.cachedBytes, documents: store.cachedBytes() })
  const site = createSite({
    model: declaration.model,
    graphiql: development,
    open: options.openPages ?? development,
    naive: strategy === 'naive',
    numbers: () => numbers.report(freshness().boundMs, Object.values(caches()).reduce((sum, bytes) => sum + bytes, 0)),
    examples: options.examples,
    built: options.builtPages,
  })
  const pageSizes = { ...usualPageSizes, ...options.pageSizes }
  const schema = makeExecutableSchema({
    typeDefs: declaration.sdl,
    resolvers: [createResolvers({ declaration, cursors, pageSizes }), { Mutation: createMutations(declaration) }, options.resolvers ?? {}],
    resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
  })

  const operations = new Operations({
    schema, declaration, store, strategy, traces: development, compiles, freshness, changes, observers, record,
    steps: createSteps(declaration, coordinatesIn(options.resolvers ?? {})),
    planBytes: options.planBytes ?? usualPlanBytes,
    writer: openWrites ? writer : undefined,
  })

  const yoga = createYoga<object, object>({
    schema,
    // The site has its own, with a panel and without a CDN.
    graphiql: false,
    landingPage: false,
    maskedErrors: { maskError: masked },
    healthCheckEndpoint: '/health',
    logging: createYogaLog(log),
    plugins: [
      // Before anything answers: all have an id, are logged and timed from here.
      useRequestId(),
      ...(requestLog ? [useLog(requestLog)] : []),
      ...(metrics ? [useMetrics(metrics)] : []),
      // Answers before anything of the request is looked at.
      useReadinessCheck({ endpoint: '/ready', check: () => store.ping().then(() => true) }),
      // Pages are no operations.
      useSite(site),
      useFiniteNumbers(),
      useOperation((...begun) => operations.begin(...begun)),
      // Sees every error, also of operations that never ran.
      useErrorCodes((error, request) => logFault(log, error, request)),
      // Errors have their codes by now.
      useObservers(observers),
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
  const server = withReadableAddress(yoga, (message) => {
    const request = arrived(message)
    requestLog?.answered(request, 400)
    metrics?.answered(request, 400)
    return { 'x-request-id': arrivalOf(request).id }
  })
  // What is traced takes the long way, and so does whoever asks from another origin: Yoga knows the rules for that.
  return development || !compiles ? server : withShortWay(server, {
    path: '/graphql',
    notWith: ['quire-trace', 'origin', 'content-encoding'],
    mostBytes: 100_000,
    arrive: arrived,
    answer: (...asked) => operations.answer(...asked),
    answered(request) {
      numbers.count(false, undefined)
      requestLog?.answered(request, 200)
      metrics?.answered(request, 200)
      return { 'x-request-id': arrivalOf(request).id }
    },
  })
}

/** Enough for some thousand different operations. */
const usualPlanBytes = 32 * 1024 * 1024

/** The `Type.field` of every resolver. */
function coordinatesIn(resolvers: IResolvers): Set<string> {
  return new Set(Object.entries(resolvers).flatMap(([type, fields]) => Object.keys(fields as object).map((field) => `${type}.${field}`)))
}

/** Looking costs something where charges are measured. */
function everyMsOf({ followEveryMs }: GatewayOptions, { supports }: Store): number {
  return followEveryMs ?? (supports.charges === 'measured' ? 1000 : 200)
}

async function followChanges(declaration: Declaration, store: Store, observers: Observers, options: GatewayOptions) {
  const { propagates = true, record } = options
  const watermark = new Watermark(store)
  const propagator = propagates ? new Propagator(declaration, store, {
    owner: randomUUID(), onBatch: (batch) => observers.propagate(batch), onPropagated: record && ((entries) => record.propagated(declaration, entries)),
  }) : undefined
  await watermark.refresh()
  const following = follow(propagator, watermark, everyMsOf(options, store), observers)
  return { watermark, stop: () => following.stop() }
}
