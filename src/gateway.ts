// A gateway, room by room: the schema and its documents, what observes them, the change feed, the execution of operations,
// pages, and the HTTP server in front. Each room reads its own options; this file only connects them.

import { createRules } from './auth/rules.ts'
import { checkGatewayOptions, type GatewayOptions } from './config/gateway-options.ts'
import { declaredStorage, storageHash } from './evolve/declared/declared-storage.ts'
import { createMigrationWatch } from './evolve/migrate/online/create-migration-watch.ts'
import { openDocuments } from './evolve/open-documents.ts'
import { checkResolvers } from './execute/check-resolvers.ts'
import { createExecution } from './execute/create-execution.ts'
import { createFeed } from './feed/create-feed.ts'
import { createServer } from './http/create-server.ts'
import type { Gateway } from './http/gateway-server.ts'
import { readHttpOptions } from './http/http-options.ts'
import { createRateLimiter } from './http/limits/charge-caller.ts'
import { createCursors } from './model/keys/cursor.ts'
import { createObservers } from './observe/create-observers.ts'
import { watchDerive } from './observe/watch-derive.ts'
import { servedSchema } from './plan/explain/explain.ts'
import { readDeclaration } from './relations/declaration.ts'
import { createSite } from './site/create-site.ts'
import { readCursorSecret } from './store/own-container.ts'
import { writersFor } from './write/writer.ts'

export type { GatewayOptions }

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
  checkGatewayOptions(options)
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
  const migrations = await createMigrationWatch(declared, store, log, () => void feed.stop(), options.clock)
  const execution = createExecution({
    declaration, store, cursors, observers, record,
    freshness: feed.freshness,
    changes: feed.changes,
    writerOn: writersFor(declaration, record, feed, options, migrations.writes),
    checkRead: migrations.checkRead,
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
      await migrations.stop()
      await feed.stop()
      await record?.stop()
      await store.close()
    },
  }, http)
}
