// The options of a gateway that concern HTTP, with their defaults: development is open, production is closed.

import type { GraphQLSchema } from 'graphql'
import { serverIdentity } from '../auth/server-identity.ts'
import type { Identity } from '../auth/identity.ts'
import { ConfigError } from '../errors.ts'
import { defaultLimits, type Limits } from './limits/request-limits.ts'
import { defaultLoadLimits, type LoadLimits } from './limits/load-limits.ts'
import type { SharedLimits } from './shared-limits.ts'
import { OpenSubscriptions, type SubscriptionPlaces } from './subscriptions/open-subscriptions.ts'
import { ParsedDocuments } from './limits/parsed-documents.ts'
import { checkTrustedDocuments, TrustedDocuments, type DocumentsById } from './limits/trusted-documents.ts'

export interface HttpOptions {
  readonly development?: boolean
  readonly identity?: Identity | 'server' | undefined
  /** The origins of other sites whose pages may read answers, such as `https://shop.example`; default none in production, `local` in development. */
  readonly origins?: Origins | undefined
  /** Whether `__schema` and `__type` are answered; default only in development. */
  readonly introspection?: boolean | undefined
  /** Max size, depth and repetition of a request, where it differs from the defaults. */
  readonly limits?: Partial<Limits> | undefined
  /** Max operations and subscriptions at once, the deadline, and the rate limit. */
  readonly load?: Partial<LoadLimits>
  /** The only documents that run, by their ids. */
  readonly trustedDocuments?: DocumentsById | undefined
  /** Max memory of parsed and validated documents; default 16 MB. */
  readonly documentBytes?: number
  /** Plugins of Yoga or Envelop. Their types are not named here, so that programs without any need none of Yoga's. With any, every request goes through Yoga, and GraphQL.js executes every operation. */
  readonly plugins?: readonly object[] | undefined
  /** Adds to the context of your own resolvers, once for each request. */
  readonly context?: RequestContext | undefined
  /** Limits that other gateways behind the same address share. @internal */
  readonly sharedLimits?: SharedLimits | undefined
}

/**
 * The origins of other sites that may read answers; `local` for pages of this machine and of the host that the request names, on any
 * port; `any` for all, which lets every site that you visit write to a gateway with open writes.
 *
 * @example
 * ```ts
 * const origins: Origins = ['https://shop.example']
 * ```
 */
export type Origins = readonly string[] | 'local' | 'any'

/**
 * Makes what your own resolvers find in their context beside `quire`.
 *
 * @example
 * ```ts
 * const context: RequestContext = ({ request }) => ({ locale: request.headers.get('accept-language') ?? 'en' })
 * ```
 */
export type RequestContext = (initial: { readonly request: Request; readonly params: { readonly query?: string; readonly operationName?: string | null; readonly variables?: object | null } }) => object | Promise<object>

export interface HttpSettings {
  /** Links may send queries, errors show their messages, and validation suggests names. */
  readonly development: boolean
  readonly identity: Identity | undefined
  readonly origins: Origins
  readonly introspection: boolean
  readonly limits: Limits
  readonly load: LoadLimits
  readonly subscriptions: SubscriptionPlaces
  readonly trusted: TrustedDocuments | undefined
  readonly documents: ParsedDocuments
  readonly plugins: readonly object[]
  readonly context: RequestContext | undefined
}

/** Throws if a trusted document is invalid for the schema that is served. */
export function readHttpOptions({ development = false, identity, ...options }: HttpOptions, schema: GraphQLSchema): HttpSettings {
  const limits = { ...defaultLimits, ...options.limits }
  const introspection = options.introspection ?? development
  const load = { ...defaultLoadLimits, ...options.load }
  return {
    development,
    identity: identity === 'server' ? serverIdentity : identity,
    origins: options.origins ?? (development ? 'local' : []),
    introspection,
    limits,
    load,
    subscriptions: options.sharedLimits?.subscriptions ?? new OpenSubscriptions(load),
    trusted: options.trustedDocuments && trust(options.trustedDocuments, checkTrustedDocuments(options.trustedDocuments, schema, limits, introspection)),
    documents: new ParsedDocuments(options.documentBytes ?? 16 * 1024 * 1024),
    plugins: options.plugins ?? [],
    context: options.context,
  }
}

function trust(documents: DocumentsById, mistakes: readonly string[]): TrustedDocuments {
  if (mistakes.length > 0) throw new ConfigError(`The trusted documents cannot be used:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
  return new TrustedDocuments(documents)
}
