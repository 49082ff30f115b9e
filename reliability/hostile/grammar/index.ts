// All classes of hostile requests.

import type { HostileClass } from '../hostile-request.ts'
import { aggregates } from './aggregates.ts'
import { filters } from './filters.ts'
import { growth } from './growth.ts'
import { floods, malformedGraphql, operations, subscriptions } from './graphql.ts'
import { encodings, forms, headers, paths, smuggling } from './http.ts'
import { injection } from './injection.ts'
import { malformedJson, oddBodies } from './json.ts'
import { verbatim } from './mutations.ts'
import { others } from './others.ts'
import { globalIds, pages } from './pages.ts'
import { tokens } from './tokens.ts'
import { pollution, wrongTypes } from './values.ts'

export const classes: readonly HostileClass[] = [
  malformedJson, oddBodies, malformedGraphql, operations, floods, growth, wrongTypes, pollution, injection, pages, globalIds, filters, aggregates, subscriptions, headers, encodings, forms, paths, smuggling, verbatim, others, tokens,
]
