// The public entry: everything that the code of a user, or of a schema folder, imports from Quire. Stores and test tools have
// entries of their own in entries/. All else is internal.

export type { FetchRequest, Gateway, Given } from './http/gateway-server.ts'
export type { GivenViewer } from './auth/server-identity.ts'
export { createGateway, type GatewayOptions } from './gateway.ts'
export { defineConfig, type QuireConfig } from './config/define-config.ts'
export { ClientVisibleError, ConfigError, type ErrorCode } from './errors.ts'
export { badInput, clientError } from './graphql-errors.ts'
export { MigrationNeededError } from './evolve/declared/migration-errors.ts'
export { DeclarationError } from './model/sdl/declaration-error.ts'
export { SetupError, StoreUnavailableError } from './store/store-errors.ts'
export { readSchemaFolder, type SchemaFolder } from './serve/schema-folder.ts'

// The options of a gateway.
export type { EffectsMode, UnitOfWork } from './write/writer.ts'
export type { Budget } from './plan/cost/budget.ts'
export type { PageSizes } from './plan/field-arguments.ts'
export type { Strategy } from './read/loader.ts'
export type { Origins, RequestContext } from './http/http-options.ts'
export type { Limits } from './http/limits/request-limits.ts'
export type { LoadLimits } from './http/limits/load-limits.ts'
export type { DocumentsById } from './http/limits/trusted-documents.ts'
export type { Example } from './site/first-operation.ts'

// Who asks.
export { createJwtIdentity, type JwtOptions } from './auth/jwt-identity.ts'
export { IdentityUnavailableError, invalidToken, type HeaderReader, type Identity } from './auth/identity.ts'
export type { Claims } from './auth/claims.ts'
export type { Viewer } from './auth/viewer.ts'

// What is observed.
export { createLog, type Log, type LogOptions } from './observe/log/log.ts'
export type { LogFields } from './observe/log/log-fields.ts'
export type { LogLevel } from './observe/log/log-level.ts'
export { recordToFile, type RecordingOptions } from './observe/workload/record-to-file.ts'
export type { Recorder } from './observe/workload/recorder.ts'
export type { Observer, OperationEnd, OperationHooks, OperationStart, PropagatedBatch, Refusal } from './observe/observers.ts'
export type { IncomingRequest } from './auth/request-state.ts'
export type { CostReport, ReportedRelation } from './observe/cost-report.ts'
export type { Cost } from './store/cost-model.ts'
export type { Call } from './read/call-log.ts'

// For derive.ts.
export type { Derive } from './relations/kind.ts'
export type { Body, Json, StoredTypes } from './model/json/json.ts'

// For resolvers.ts.
export type { DocumentPage, DocumentQuery, ResolverContext } from './execute/custom-resolvers/resolver-context.ts'
export type { Mutate, MutationInput } from './write/mutations.ts'
export type { Input } from './write/input/input.ts'
export type { Change } from './write/change.ts'
export type { Entry, FoundEntry } from './relations/maintenance.ts'
export type { ChangeEvent } from './feed/change-stream.ts'
export type { ChangeKind } from './feed/feed-reader.ts'
export type { PageInfo } from './execute/relay-connection.ts'
export type { StoredDocument } from './store/store.ts'

// For documents.ts and seed.ts.
export type { Documents } from './serve/schema-folder/documents-file.ts'
export type { DocumentsByType } from './serve/schema-folder/place-documents.ts'
export type { DocumentTools, DocumentWithBuckets } from './serve/schema-folder/document-tools.ts'
export type { Seed } from './serve/schema-folder/seed-file.ts'
