// The gateway: a schema that says how things are stored, and a store, become a Yoga server. This
// file only connects the parts.

import { randomUUID } from 'node:crypto'
import { makeExecutableSchema } from '@graphql-tools/schema'
import type { IResolvers } from '@graphql-tools/utils'
import type { DocumentNode, GraphQLSchema } from 'graphql'
import { createYoga, useReadinessCheck, type YogaServerInstance } from 'graphql-yoga'
import { ChangeStream } from './feed/change-stream.ts'
import type { Freshness } from './plan/choice.ts'
import { Answers } from './execute/compiled/remembered-answers.ts'
import { createSteps } from './execute/compiled/steps.ts'
import { ConfigError } from './config.ts'
import { readDeclaration, type Declaration } from './relations/declaration.ts'
import { servedSchema } from './plan/explain/explain.ts'
import type { Identity } from './auth/identity.ts'
import { Rules } from './auth/rules.ts'
import { createCursors } from './model/keys/cursor.ts'
import { CostGuard, noBudget, defaultBudget, type Budget } from './plan/cost/budget.ts'
import { Costs } from './plan/cost/cost.ts'
import { DocumentCaches } from './http/limits/parsed-documents.ts'
import { defaultLimits, type Limits } from './http/limits/limits.ts'
import { mistakesIn, TrustedDocuments, type DocumentsById } from './http/limits/trusted-documents.ts'
import { Admission } from './http/limits/admission.ts'
import { chargeBy } from './http/limits/charge-caller.ts'
import { defaultLoadLimits, type LoadLimits } from './http/limits/load-limits.ts'
import { overloaded, overloadedAnswer, tooManySubscriptions } from './http/limits/overload.ts'
import type { Strategy } from './read/loader.ts'
import { masked } from './observe/masked-errors.ts'
import { createMutations } from './write/mutations.ts'
import { createObservation } from './observe/create-observers.ts'
import { logError } from './observe/log/log-error.ts'
import { createLog, type Log } from './observe/log/log.ts'
import type { Observer, Observers } from './observe/observers.ts'
import { arrivalOf, arrived } from './auth/arrival.ts'
import { createYogaLog } from './observe/log/yoga-log.ts'
import { Operations } from './execute/operations.ts'
import { readCursorSecret, seedOnce } from './store/own-documents.ts'
import { defaultPageSizes, type PageSizes } from './plan/page-window.ts'
import { answerHeaders, useAnswerHeaders } from './http/plugins/use-answer-headers.ts'
import { useAdmission } from './http/plugins/use-admission.ts'
import { useErrorCodes } from './http/plugins/use-error-codes.ts'
import { useLimits } from './http/plugins/use-limits.ts'
import { useIdentity } from './http/plugins/use-identity.ts'
import { useFiniteNumbers } from './http/plugins/use-finite-numbers.ts'
import { useLog } from './http/plugins/use-log.ts'
import { useMetrics } from './http/plugins/use-metrics.ts'
import { useNumbers } from './site/use-numbers.ts'
import { useObservers } from './http/plugins/use-observers.ts'
import { useOperation } from './http/plugins/use-operation.ts'
import { originHeaders, useOrigins, type Origins } from './http/plugins/use-origins.ts'
import { usePlainRequests } from './http/plugins/use-plain-requests.ts'
import { useRequestId } from './http/plugins/use-request-id.ts'
import { useSite } from './site/use-site.ts'
import { useTrustedDocuments } from './http/plugins/use-trusted-documents.ts'
import { Propagator } from './feed/propagator.ts'
import { alwaysTrue, Watermark } from './feed/watermark.ts'
import { follow } from './feed/follow.ts'
import type { Derive } from './relations/kind.ts'
import { withReadableUrl } from './http/request-url.ts'
import { createResolvers } from './execute/resolvers.ts'
import { Numbers } from './site/numbers.ts'
import { withFastPath } from './http/fast-path.ts'
import { createSite } from './site/site.ts'
import type { Example } from './site/first-operation.ts'
import { withStoredCopies } from './evolve/stored-copies.ts'
import { leaveStrayRejections } from './http/stray-rejections.ts'
import type { ContainerLayout, Store, Write } from './store/store.ts'
import { createTenantScopes } from './execute/tenant-scope.ts'
import { layoutOfSubscribed } from './relations/subscribed-types.ts'
import { withMeter } from './store/with-meter.ts'
import type { Recorder } from './observe/workload/recorder.ts'
import { Writer, type EffectsMode } from './write/writer.ts'

export interface GatewayOptions {
  /** SDL that says how things are stored, as text or parsed. */
  readonly typeDefs: string | DocumentNode
  /** Opens the store, told what the schema needs of it. */
  readonly store: (layout: readonly ContainerLayout[]) => Promise<Store>
  /** The functions behind `@derived` fields. */
  readonly derive?: Derive
  /** Resolvers of root fields that the schema adds by itself. */
  readonly resolvers?: IResolvers
  /** Whether several tenants share the store, and each sees only what is his. Whose a request is, its token says. */
  readonly tenants?: boolean
  /** What a new store is filled with; one that tenants share begins empty. */
  readonly seed?: (declaration: Declaration) => readonly Write[]
  /** Friendly to people: GraphiQL, and every answer carries its account. */
  readonly development?: boolean
  /** Finds out who asks. Without it nobody can say who they are: in development everyone may do everything, in production rules hold for strangers. */
  readonly identity?: Identity | undefined
  /** Whether everyone may write, whatever the rules say; in development without identity it goes without saying. */
  readonly openWrites?: boolean
  /** The pages of other sites that may read answers, such as `https://shop.example`; by default none in production and all in development. */
  readonly origins?: Origins | undefined
  /** Whether `__schema` and `__type` are answered; in development it goes without saying. */
  readonly introspection?: boolean | undefined
  /** How large, deep and repetitive a request may be, where it is not as usual. */
  readonly limits?: Partial<Limits> | undefined
  /** What an operation may cost; by default something in production and anything in development. */
  readonly budget?: Partial<Budget> | undefined
  /** The only documents that run, by their ids, where there are any. */
  readonly trustedDocuments?: DocumentsById | undefined
  /** Whether everyone may read everything, whatever the rules say; in development without identity it goes without saying. */
  readonly openReads?: boolean
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
  /** How much memory known operations and their compiled plans may take, and as much again the rows that they have written. */
  readonly planBytes?: number
  /** How much memory answers may take that are given again as long as they are true; 0 to make every answer anew. */
  readonly answerBytes?: number | undefined
  /** How much memory documents that were parsed and validated may take. */
  readonly documentBytes?: number
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
  /** How much it takes on at once, and for how long. */
  readonly load?: Partial<LoadLimits>
}

export type Gateway = YogaServerInstance<object, object>

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { typeDefs, derive = {}, development = false, strategy = 'gathered', effects = 'together', identity, record, compiles = strategy !== 'naive' && !record } = options
  leaveStrayRejections()
  const log = options.log ?? createLog({ level: 'warn', readable: development })
  const declared = readDeclaration(typeDefs, derive, options.tenants)
  const { openWrites = development && !identity, openReads = development && !identity, introspection = development, origins = development ? 'any' : [] } = options
  const limits = { ...defaultLimits, ...options.limits }
  const trusted = options.trustedDocuments && trust(options.trustedDocuments, servedSchema(declared), limits, introspection)
  const store = await options.store(effects === 'feed' ? declared.layout : layoutOfSubscribed(declared.layout, declared.told))
  const { declaration, missing } = await withStoredCopies(declared, store)
  for (const line of missing) log.warn({}, line)
  if (options.seed && !declaration.tenants) await seedOnce(store, () => options.seed!(declaration))
  const cursors = createCursors(options.cursorSecret ?? (await readCursorSecret(store)))
  const writerOn = (part: Store) => new Writer(declaration, part, effects, record && ((entries, own) => record.written(declaration, entries, own)))
  // A store that cannot write copies together with what they copy has them follow.
  const feeds = effects === 'feed' || store.supports.atomic !== 'store'
  const watches = options.propagates !== false || !options.freshness
  const { observers, metrics, requestLog } = await createObservation({
    log, supports: store.supports, metrics: options.openMetrics ?? development, others: options.observers,
    caches: () => caches(), boundMs: () => freshness().boundMs, deadLetters: () => following?.watermark.deadLetters ?? 0,
  })
  const followed = observers.meter ? withMeter(store, observers.meter) : store
  const following = feeds && watches ? await followChanges(declaration, followed, observers, options) : undefined
  const freshness = options.freshness ?? (() => following?.watermark.freshness ?? alwaysTrue)
  const changes = new ChangeStream(declaration, followed, cursors, everyMsOf(options, store))
  const numbers = new Numbers()
  const documentCaches = new DocumentCaches(options.documentBytes ?? defaultDocumentBytes)
  const caches = () => ({ ...operations.cachedBytes, parsed: documentCaches.bytes, documents: store.cachedBytes() })
  const site = createSite({
    model: declaration.model,
    graphiql: development,
    open: options.openPages ?? development,
    naive: strategy === 'naive',
    numbers: () => numbers.report(freshness().boundMs, Object.values(caches()).reduce((sum, bytes) => sum + bytes, 0)),
    examples: options.examples,
    built: options.builtPages,
  })
  const pageSizes = { ...defaultPageSizes, ...options.pageSizes }
  const schema = makeExecutableSchema({
    typeDefs: declaration.sdl,
    resolvers: [createResolvers({ declaration, cursors, pageSizes }), { Mutation: createMutations(declaration) }, options.resolvers ?? {}],
    resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
  })

  const load = { ...defaultLoadLimits, ...options.load }
  const admission = new Admission({ most: load.operations })
  const operations = new Operations({
    schema, declaration, strategy, traces: development, compiles, freshness, observers, record,
    shareOf: createTenantScopes({ tenants: declaration.tenants, store, changes, writerOn }),
    sameObjects: store.supports.sameObjects,
    steps: createSteps(declaration, coordinatesIn(options.resolvers ?? {})),
    planBytes: options.planBytes ?? defaultPlanBytes,
    answers: new Answers(store, options.answerBytes ?? defaultAnswerBytes),
    costs: new CostGuard(
      new Costs({ schema, declaration, pageSizes, strategy, keysPerRequest: store.supports.keysPerRequest }),
      { ...(development || strategy === 'naive' ? noBudget : defaultBudget), ...options.budget },
    ),
    rules: new Rules({ model: declaration.model, reads: !openReads, writes: !openWrites, identifies: identity !== undefined }),
    deadlineMs: load.deadlineMs,
    charge: chargeBy(load),
  })

  const alwaysSaid = Object.entries({ ...answerHeaders, ...originHeaders(origins) }).flat()
  const yoga = createYoga<object, object>({
    schema,
    // The site has its own, with a panel and without a CDN.
    graphiql: false,
    landingPage: false,
    // What went wrong is not told, whatever NODE_ENV says to others; the origins have rules of their own.
    maskedErrors: { maskError: masked, ...(development ? {} : { isDev: false }) },
    cors: false,
    multipart: false,
    maxRequestBodySize: limits.bodyBytes,
    parserAndValidationCache: documentCaches,
    healthCheckEndpoint: '/health',
    logging: createYogaLog(log),
    plugins: [
      // Before anything answers: all have an id, are logged and timed from here.
      useRequestId(),
      ...(requestLog ? [useLog(requestLog)] : []),
      ...(metrics ? [useMetrics(metrics)] : []),
      useAnswerHeaders(),
      useOrigins(origins),
      // Answers before anything of the request is looked at.
      useReadinessCheck({ endpoint: '/ready', check: () => store.ping().then(() => true) }),
      // Pages are no operations.
      useSite(site),
      // Before a body is read, before its document is looked for, and before that is parsed.
      usePlainRequests({ bodyBytes: limits.bodyBytes, guardsGet: !development }),
      // Whoever says wrongly who they are is told so, and nothing runs.
      ...(identity ? [useIdentity(identity)] : []),
      ...(trusted ? [useTrustedDocuments(trusted)] : []),
      useLimits({ limits, introspection, suggestions: development }),
      useFiniteNumbers(),
      useOperation((...begun) => operations.begin(...begun), { hideSuggestions: !development }),
      useAdmission({
        within: (...asked) => admission.within(...asked), isIn: (message) => operations.hasBegun(message),
        refusal: overloaded, mostSubscriptions: load.subscriptions, subscriptionRefusal: tooManySubscriptions,
      }),
      // Sees every error, also of operations that never ran.
      useErrorCodes((error, request) => logError(log, error, request)),
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
  const server = withReadableUrl(yoga, (message) => {
    const request = arrived(message)
    requestLog?.answered(request, 400)
    metrics?.answered(request, 400)
    return { 'x-request-id': arrivalOf(request).id }
  })
  const answer: typeof operations.answer = identity ? async (asked, request, message) => {
    arrivalOf(request).viewer = await identity.viewerOf(request.headers)
    return operations.answer(asked, request, message)
  } : (...asked) => operations.answer(...asked)
  // What is traced takes the long way, and so does whoever asks from another origin, where some may.
  return development || !compiles ? server : withFastPath(server, {
    path: '/graphql',
    notWith: ['quire-trace', ...(origins.length > 0 ? ['origin'] : []), 'content-encoding'],
    maxBytes: limits.bodyBytes,
    maxNesting: limits.nesting,
    ...(trusted ? { textOf: (wanted: object) => trusted.textOf(wanted) } : {}),
    arrive: arrived,
    answer: (...asked) => admission.within(() => answer(...asked), () => {
      observers.refuse({ request: asked[1], errors: [overloaded()] })
      return overloadedAnswer
    }, true),
    answered(request, status) {
      numbers.count(status !== 200, undefined)
      requestLog?.answered(request, status)
      metrics?.answered(request, status)
      return ['x-request-id', arrivalOf(request).id, ...alwaysSaid]
    },
  })
}

/** Enough for some thousand different operations. */
const defaultPlanBytes = 20 * 1024 * 1024
const defaultAnswerBytes = 32 * 1024 * 1024
const defaultDocumentBytes = 16 * 1024 * 1024

/** All of them have to be valid: what is trusted is meant to run. */
function trust(documents: DocumentsById, ...held: [GraphQLSchema, Limits, boolean]): TrustedDocuments {
  const mistakes = mistakesIn(documents, ...held)
  if (mistakes.length > 0) throw new ConfigError(`The trusted documents cannot be used:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
  return new TrustedDocuments(documents)
}

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
