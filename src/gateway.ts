// A gateway, room by room: the schema and its documents, what observes them, the change feed, the execution of operations,
// pages, and the HTTP server in front. Each room reads its own options; this file only connects them.

import { createRules, type AuthOptions } from './auth/rules.ts'
import { amount, amounts, checkOptions, isFunction, optionalFunction, type CheckedOption } from './config/check-options.ts'
import { declaredStorage, storageHash } from './evolve/declared/declared-storage.ts'
import { createMigrationWrites } from './evolve/migrate/online/migration-writes.ts'
import { MigrationGate } from './evolve/migrate/online/migration-gate.ts'
import { openDocuments, type DocumentsOptions } from './evolve/open-documents.ts'
import { checkResolvers } from './execute/check-resolvers.ts'
import { createExecution, type ExecutionOptions } from './execute/create-execution.ts'
import { createFeed, type FeedOptions } from './feed/create-feed.ts'
import { createServer } from './http/create-server.ts'
import type { Gateway } from './http/gateway-server.ts'
import { readHttpOptions, type HttpOptions } from './http/http-options.ts'
import { loadLimitTable } from './http/limits/load-limits.ts'
import { limitTable } from './http/limits/request-limits.ts'
import { createRateLimiter } from './http/limits/charge-caller.ts'
import { createCursors } from './model/keys/cursor.ts'
import { createObservers, type ObserveOptions } from './observe/create-observers.ts'
import { watchDerive } from './observe/watch-derive.ts'
import { defaultBudget } from './plan/cost/budget.ts'
import { defaultPageSizes } from './plan/field-arguments.ts'
import { servedSchema } from './plan/explain/explain.ts'
import { readDeclaration, type SchemaOptions } from './relations/declaration.ts'
import { createSite } from './site/create-site.ts'
import type { SiteOptions } from './site/site-options.ts'
import { readCursorSecret } from './store/own-container.ts'
import { writersFor } from './write/writer.ts'

/**
 * What a gateway serves, from where, and to whom. Only `typeDefs` and `store` are required.
 *
 * @example
 * ```ts
 * const options: GatewayOptions = { typeDefs, store: openMemoryStore, development: true }
 * ```
 */
export interface GatewayOptions extends SchemaOptions, DocumentsOptions, ObserveOptions, FeedOptions, AuthOptions, ExecutionOptions, SiteOptions, HttpOptions {
  /** GraphiQL, a cost report in every answer, open pages and metrics, no budget; without `identity`, no rules. */
  readonly development?: boolean
  /** Signs cursors; default a secret that is made once and kept in the store. */
  readonly cursorSecret?: string
}

const plugins: CheckedOption = { is: (value) => value === undefined || (Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null)), pass: 'Pass a list of plugins of Yoga or Envelop: [useSomething()].' }

const knownOptions = {
  typeDefs: { is: isSdl, pass: 'Pass SDL: a string, or one document that graphql has parsed. readSchemaFolder(folder) reads it from files.' },
  store: { is: isFunction, pass: "Pass a function that opens a store: openMemoryStore, or (layout) => openSqliteStore('data.db', layout)." },
  derive: true, resolvers: true, seed: true, whenIncomplete: true, tenants: true, development: true, cursorSecret: true,
  identity: true, openReads: true, openWrites: true,
  strategy: true, compiles: true, pageSizes: amounts(Object.keys(defaultPageSizes)), budget: amounts(Object.keys(defaultBudget)), planBytes: amount,
  effects: true, followEveryMs: true, propagates: true, freshness: true, clock: true, siblings: true,
  origins: true, introspection: true, limits: amounts(Object.keys(limitTable)), load: amounts(Object.keys(loadLimitTable)), trustedDocuments: true, documentBytes: amount, plugins, context: optionalFunction, sharedLimits: true,
  log: true, observers: true, openMetrics: true, metricsOfAll: true, record: true, storedState: true,
  examples: true, openPages: true, builtPages: true,
} satisfies Record<keyof GatewayOptions, true | CheckedOption>

function isSdl(value: unknown): boolean {
  return typeof value === 'string' || (value as { kind?: unknown } | null | undefined)?.kind === 'Document'
}

/**
 * Opens the store and serves the schema over it. Rejects with a `ConfigError` if an option is missing or unknown, with a
 * `DeclarationError` if the schema has mistakes, with a `MigrationNeededError` if the stored documents do not fit it, and with a `SetupError` or `StoreUnavailableError` if the store cannot be opened.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { createGateway } from 'quire-graphql'
 * import { openSqliteStore } from 'quire-graphql/sqlite'
 *
 * const gateway = await createGateway({
 *   typeDefs: `
 *     type Article @document(container: "articles") { id: ID! title: String! @indexed writer: Writer @snapshot(at: "writer", fields: ["name"]) }
 *     type Writer @document(container: "writers") { id: ID! name: String! }
 *   `,
 *   store: (layout) => openSqliteStore('articles.db', layout),
 *   openReads: true,
 * })
 * createServer(gateway).listen(4000)
 * ```
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  checkOptions('createGateway()', options, knownOptions)
  // Documents may be derived before there is a log.
  const warnings: string[] = []
  let warn = (sentence: string): void => void warnings.push(sentence)
  const derive = options.development && options.derive ? watchDerive(options.derive, (sentence) => warn(sentence)) : options.derive
  const read = readDeclaration(options.typeDefs, derive, options.tenants)
  // Before the store is opened: a gateway that cannot serve leaves nothing behind.
  const served = servedSchema(read)
  checkResolvers(read, served, options.resolvers)
  const http = readHttpOptions(options, served)
  const { store, declared, declaration, missing } = await openDocuments(read, options)
  const cursors = createCursors(options.cursorSecret ?? (await readCursorSecret(store)))

  const { record } = options
  const caches = () => ({ ...execution.operations.cachedBytes, parsed: http.documents.bytes, documents: store.cachedBytes() })
  const observation = await createObservers({
    supports: store.supports,
    caches,
    boundMs: () => feed.freshness().boundMs,
    deadLetters: () => feed.deadLetters(),
    partLagsMs: () => feed.partLagsMs(),
    catchUp: () => options.storedState?.catchUp,
  }, options)
  const { observers, log } = observation
  warn = (sentence) => log.warn({}, sentence)
  for (const sentence of [...missing, ...warnings]) warn(sentence)

  const feed = await createFeed({ declaration, schema: storageHash(declaredStorage(declared.model)), store, cursors, observers, log, record }, options)
  const gate = await MigrationGate.open(store, declared.locations.generation, () => {
    log.error({}, 'The documents have been migrated to a new schema, and this gateway serves the old one. It refuses all operations from now on. Stop it, and start a gateway with the new schema.')
    void feed.stop()
  }, options.clock)
  const execution = createExecution({
    declaration, store, cursors, observers, record,
    freshness: feed.freshness,
    changes: feed.changes,
    writerOn: writersFor(declaration, record, feed, options, createMigrationWrites(declared, gate)),
    checkRead: () => gate.checkRead(),
    rules: createRules(declaration.model, options),
    deadlineMs: http.load.deadlineMs,
    limits: { bytes: http.limits.answerBytes, rows: http.limits.answerRows },
    clock: options.clock,
    charge: createRateLimiter(http.load, options.sharedLimits),
    trusted: http.trusted !== undefined,
    extendsContext: http.context !== undefined,
    hasPlugins: http.plugins.length > 0,
  }, options)

  const site = createSite({
    model: declaration.model,
    naive: options.strategy === 'naive',
    boundMs: () => feed.freshness().boundMs,
    cachedBytes: () => Object.values(caches()).reduce((sum, bytes) => sum + bytes, 0),
    stored: () => options.storedState,
  }, options)
  return createServer({
    store, observation, log, site,
    schema: execution.schema,
    operations: execution.operations,
    fastPath: !http.development && execution.compiles,
    async dispose() {
      observation.stop()
      await gate.stop()
      await feed.stop()
      await record?.stop()
      await store.close()
    },
  }, http)
}
