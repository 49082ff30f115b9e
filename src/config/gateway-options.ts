// The options of createGateway(): what each room reads of them, and how they are checked before anything is opened.

import type { AuthOptions } from '../auth/rules.ts'
import type { DocumentsOptions } from '../evolve/open-documents.ts'
import type { ExecutionOptions } from '../execute/create-execution.ts'
import type { FeedOptions } from '../feed/create-feed.ts'
import type { HttpOptions } from '../http/http-options.ts'
import { loadLimitTable } from '../http/limits/load-limits.ts'
import { limitTable } from '../http/limits/request-limits.ts'
import type { ObserveOptions } from '../observe/create-observers.ts'
import { defaultBudget } from '../plan/cost/budget.ts'
import { defaultPageSizes } from '../plan/field-arguments.ts'
import type { SchemaOptions } from '../relations/declaration.ts'
import type { SiteOptions } from '../site/site-options.ts'
import { amount, amounts, checkOptions, isFunction, optionalFunction, type CheckedOption } from './check-options.ts'

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

/** Throws a `ConfigError` that lists every option that is missing, unknown or of another type. */
export function checkGatewayOptions(options: GatewayOptions): void {
  checkOptions('createGateway()', options, knownOptions)
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
