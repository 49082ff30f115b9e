// The HTTP side of a gateway: Yoga with its plugins in order and, before it, for requests of node:http, a check of the
// request's URL and, in production, the fast path. What an operation does is decided in `execute/`.

import type { GraphQLSchema } from 'graphql'
import { createYoga, useReadinessCheck, type Plugin } from 'graphql-yoga'
import { requestState, fromNode } from '../auth/request-state.ts'
import type { OperationRequest } from '../execute/operation.ts'
import type { Operations } from '../execute/operations.ts'
import type { Observation } from '../observe/create-observers.ts'
import { logError } from '../observe/log/log-error.ts'
import type { Log } from '../observe/log/log.ts'
import { createYogaLog } from '../observe/log/yoga-log.ts'
import { maskedError } from '../observe/masked-errors.ts'
import type { Store } from '../store/store.ts'
import { countAnswer, withFastPath } from './fast-path.ts'
import type { Gateway } from './gateway-server.ts'
import type { HttpSettings } from './http-options.ts'
import { Admission } from './admission/admission.ts'
import { mountable } from './mountable.ts'
import { useAdmission } from './plugins/use-admission.ts'
import { useAnswerHeaders } from './plugins/use-answer-headers.ts'
import { useErrorCodes } from './plugins/use-error-codes.ts'
import { useIdentity } from './plugins/use-identity.ts'
import { useLimits } from './plugins/use-limits.ts'
import { useLog } from './plugins/use-log.ts'
import { useMetrics } from './plugins/use-metrics.ts'
import { useObservers } from './plugins/use-observers.ts'
import { useOperation } from './plugins/use-operation.ts'
import { useOrigins } from './plugins/use-origins.ts'
import { useCsrfProtection } from './plugins/use-csrf-protection.ts'
import { useRequestId } from './plugins/use-request-id.ts'
import { graphqlEndpoint, useRoutes } from './plugins/use-routes.ts'
import { useTrustedDocuments } from './plugins/use-trusted-documents.ts'
import { withReadableUrl } from './request-url.ts'
import { ignoreStrayRejections } from './stray-rejections.ts'

/** What the other rooms contribute. */
export interface ServerParts {
  readonly schema: GraphQLSchema
  readonly operations: Operations
  /** `/ready` asks it whether it answers. */
  readonly store: Pick<Store, 'ping'>
  readonly fastPath: boolean
  readonly log: Log
  readonly observation: Observation
  readonly site: SiteParts
  readonly dispose: () => Promise<void>
}

/** The pages, which are built in a room below this one. */
export interface SiteParts {
  readonly pages: Plugin
  /** Counts the answers that Yoga gives. */
  readonly numbers: Plugin
  /** Counts an answer of the fast path. */
  readonly countFastAnswer: (failed: boolean) => void
}

/** An operation that may cost more RU than this is expensive. A page of fifty documents costs 8, one of a thousand 113, and a page with lists of lists thousands. */
const lightCharge = 100

export function createServer(parts: ServerParts, settings: HttpSettings): Gateway {
  const { schema, log, observation } = parts
  const { development, identity, limits, load, documents } = settings
  ignoreStrayRejections()
  const admission = new Admission<OperationRequest>({ maxRunning: settings.load.operations, isLight: (asked) => (parts.operations.plannedCharge(asked) ?? Infinity) <= lightCharge })
  const yoga = createYoga<object, object>({
    schema,
    ...(settings.context ? { context: settings.context } : {}),
    // The site has its own GraphiQL, with the round trips panel and without a CDN.
    graphiql: false,
    landingPage: false,
    // Whatever NODE_ENV says: the gateway may run inside another program.
    maskedErrors: { maskError: maskedError, isDev: development },
    // useOrigins answers CORS.
    cors: false,
    multipart: false,
    maxRequestBodySize: limits.bodyBytes,
    parserAndValidationCache: documents,
    graphqlEndpoint,
    healthCheckEndpoint: '/health',
    logging: createYogaLog(log),
    plugins: pluginsInOrder(parts, settings, admission),
  })
  const checked = withReadableUrl((request, response) => void yoga(request, response), (message) => {
    const request = fromNode(message)
    countAnswer(observation, request, 400)
    return { 'x-request-id': requestState(request).id }
  })
  return mountable({
    yoga, identity,
    listener: parts.fastPath ? withFastPath(checked, parts, settings, admission) : checked,
    drain: () => admission.drain(load.deadlineMs),
  })
}

function pluginsInOrder(
  { store, operations, log, observation: { observers, metrics, requestLog }, site, dispose }: ServerParts,
  { development, identity, origins, introspection, limits, load, subscriptions, trusted, plugins }: HttpSettings,
  admission: Admission<OperationRequest>,
): Plugin[] {
  return [
    // First, so that every request has an id, is timed and is logged, even if a later plugin answers it at once.
    useRequestId(),
    ...(requestLog ? [useLog(requestLog)] : []),
    ...(metrics ? [useMetrics(metrics)] : []),
    useAnswerHeaders(),
    useOrigins(origins),
    // Probes and pages are answered without limits, identity or an operation.
    useReadinessCheck({ endpoint: '/ready', check: () => store.ping().then(() => true) }),
    site.pages,
    useRoutes(),
    // Checks the headers before Yoga reads the body.
    useCsrfProtection({ limits, guardsGet: !development }),
    // An invalid token is refused before its document is looked up or parsed.
    ...(identity ? [useIdentity(identity)] : []),
    ...(trusted ? [useTrustedDocuments(trusted)] : []),
    useLimits({ limits, introspection, suggestions: development }),
    useOperation((...args) => operations.begin(...args), { hideSuggestions: !development, ready: () => operations.ready(), inTurn: (run) => admission.withinTurn(run) }),
    useAdmission({ admission, hasBegun: (message) => operations.hasBegun(message), subscriptions, proxies: load.proxies }),
    // The user's own see requests that were let in, may wrap execution, and have their errors masked and counted as all others.
    ...(plugins as Plugin[]),
    // Sees every error, also of requests whose operation never ran.
    useErrorCodes((error, request) => logError(log, error, request)),
    // After useErrorCodes: observers count errors by their codes.
    useObservers(observers),
    // Last: counts the answer as clients get it, with its cost report and its errors.
    site.numbers,
    { onDispose: dispose },
  ]
}
