// The gateway: a schema that says how things are stored, and a store, become a Yoga server. This
// file only connects the parts.

import type { DocumentNode, GraphQLSchema } from 'graphql'
import type { YogaServerInstance } from 'graphql-yoga'
import { ConfigError } from './errors.ts'
import { readDeclaration } from './relations/declaration.ts'
import { servedSchema } from './plan/explain/explain.ts'
import type { Identity } from './auth/identity.ts'
import { Rules } from './auth/rules.ts'
import { createCursors } from './model/keys/cursor.ts'
import { DocumentCaches } from './http/limits/parsed-documents.ts'
import { defaultLimits, type Limits } from './http/limits/limits.ts'
import { mistakesIn, TrustedDocuments, type DocumentsById } from './http/limits/trusted-documents.ts'
import { chargeBy } from './http/limits/charge-caller.ts'
import { defaultLoadLimits, type LoadLimits } from './http/limits/load-limits.ts'
import { createObservers } from './observe/create-observers.ts'
import { createLog, type Log } from './observe/log/log.ts'
import type { Observer } from './observe/observers.ts'
import { createExecution, type ExecutionOptions } from './execute/create-execution.ts'
import { readCursorSecret } from './store/own-container.ts'
import type { Origins } from './http/plugins/use-origins.ts'
import { createFeed, type FeedOptions } from './feed/create-feed.ts'
import { openDocuments, type DocumentsOptions } from './evolve/open-documents.ts'
import type { Derive } from './relations/kind.ts'
import { createSite } from './site/create-site.ts'
import { createServer } from './http/create-server.ts'
import type { Example } from './site/first-operation.ts'
import type { Store } from './store/store.ts'
import type { Recorder } from './observe/workload/recorder.ts'
import { Writer } from './write/writer.ts'

export interface GatewayOptions extends DocumentsOptions, FeedOptions, ExecutionOptions {
  /** SDL that says how things are stored, as text or parsed. */
  readonly typeDefs: string | DocumentNode
  /** The functions behind `@derived` fields. */
  readonly derive?: Derive
  /** Whether several tenants share the store, and each sees only what is his. Whose a request is, its token says. */
  readonly tenants?: boolean
  /** GraphiQL, a cost report in every answer, open pages and metrics. */
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
  /** How much memory documents that were parsed and validated may take. */
  readonly documentBytes?: number
  /** Signs cursors. Without one, a secret is made once and kept in the store. */
  readonly cursorSecret?: string
  /** Records the workload, for `quire advise`: `await recordToFile('workload.json')`. */
  readonly record?: Recorder | undefined
  /** How much it takes on at once, and for how long. */
  readonly load?: Partial<LoadLimits>
}

export type Gateway = YogaServerInstance<object, object>

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { typeDefs, derive = {}, development = false, strategy = 'gathered', effects = 'together', identity, record } = options
  const log = options.log ?? createLog({ level: 'warn', readable: development })
  const declared = readDeclaration(typeDefs, derive, options.tenants)
  const { openWrites = development && !identity, openReads = development && !identity, introspection = development, origins = development ? 'any' : [] } = options
  const limits = { ...defaultLimits, ...options.limits }
  const trusted = options.trustedDocuments && trust(options.trustedDocuments, servedSchema(declared), limits, introspection)
  const { store, declaration, missing } = await openDocuments(declared, effects, options)
  for (const sentence of missing) log.warn({}, sentence)
  const cursors = createCursors(options.cursorSecret ?? (await readCursorSecret(store)))
  const writerOn = (part: Store) => new Writer(declaration, part, effects, record && ((entries, own) => record.written(declaration, entries, own)))
  const observation = await createObservers({
    log, supports: store.supports, metrics: options.openMetrics ?? development, others: options.observers,
    caches: () => caches(), boundMs: () => feed.freshness().boundMs, deadLetters: () => feed.deadLetters(),
  })
  const { observers } = observation
  const feed = await createFeed({ declaration, store, cursors, observers, record }, options)
  const { freshness, changes } = feed
  const documentCaches = new DocumentCaches(options.documentBytes ?? defaultDocumentBytes)
  const caches = () => ({ ...operations.cachedBytes, parsed: documentCaches.bytes, documents: store.cachedBytes() })
  const site = createSite({
    model: declaration.model,
    graphiql: development,
    open: options.openPages ?? development,
    naive: strategy === 'naive',
    boundMs: () => freshness().boundMs,
    cachedBytes: () => Object.values(caches()).reduce((sum, bytes) => sum + bytes, 0),
    examples: options.examples,
    built: options.builtPages,
  })
  const load = { ...defaultLoadLimits, ...options.load }
  const { schema, operations, compiles } = createExecution({
    declaration, store, cursors, changes, freshness, writerOn, observers, record,
    rules: new Rules({ model: declaration.model, reads: !openReads, writes: !openWrites, identifies: identity !== undefined }),
    deadlineMs: load.deadlineMs,
    charge: chargeBy(load),
  }, options)

  return createServer({
    schema, operations, store, development, identity, origins, introspection, limits, load, trusted, log, observation, site,
    documents: documentCaches,
    fastPath: !development && compiles,
    async dispose() {
      await feed.stop()
      await record?.stop()
      await store.close()
    },
  })
}

const defaultDocumentBytes = 16 * 1024 * 1024

/** All of them have to be valid: what is trusted is meant to run. */
function trust(documents: DocumentsById, ...held: [GraphQLSchema, Limits, boolean]): TrustedDocuments {
  const mistakes = mistakesIn(documents, ...held)
  if (mistakes.length > 0) throw new ConfigError(`The trusted documents cannot be used:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
  return new TrustedDocuments(documents)
}
