// The public entry: everything that the code of a user, or of a schema folder, imports from Quire. Stores and test tools have
// entries of their own in entries/. All else is internal.

export type { Gateway, Given } from './http/gateway-server.ts'
export type { GivenViewer } from './auth/given-viewers.ts'
export { createGateway, type GatewayOptions } from './gateway.ts'
export { defineConfig, type QuireConfig } from './config/define-config.ts'
export { badInput, clientError, ConfigError, type ErrorCode } from './errors.ts'
export { DeclarationError } from './model/sdl/declaration-error.ts'
export { SetupError, StoreUnavailableError } from './store/store.ts'

// For derive.ts.
export type { Derive } from './relations/kind.ts'
export type { Body, Json } from './model/json/json.ts'

// For resolvers.ts.
export type { ResolverContext } from './execute/resolvers.ts'
export type { MutationInput } from './write/mutations.ts'
export type { Change } from './write/change.ts'
export type { Entry } from './relations/maintenance.ts'
export type { ChangeEvent } from './feed/change-stream.ts'
export type { StoredDocument } from './store/store.ts'

// For documents.ts and seed.ts.
export type { Documents } from './serve/schema-folder/documents-file.ts'
export type { DocumentsByType } from './serve/schema-folder/place-documents.ts'
export type { DocumentTools, DocumentWithBuckets } from './serve/schema-folder/document-tools.ts'
export type { Seed } from './serve/schema-folder/seed-file.ts'
