// Three suites that compare requests per second with peers: the same requests again and again, requests whose variables differ,
// and a mix of twenty operations with and without writes.

import { chosenParts } from '../chosen-parts.ts'
import { mixes } from '../operations/mix.ts'
import type { Operation } from '../operations/operation.ts'
import { sameRequests } from '../operations/same.ts'
import { varyingRequests } from '../operations/varying.ts'
import type { Suite } from '../suite.ts'
import { compare } from './compare.ts'

export const throughput = suiteOf(sameRequests, 'throughput.svg')
export const varying = suiteOf(varyingRequests, 'varying.svg')
export const mix = suiteOf(mixes, 'mix.svg')

function suiteOf(operations: readonly Operation[], chart: string): Suite {
  return (options) => compare(chosenParts(operations, options), chart, options)
}
