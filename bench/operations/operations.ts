// Every operation of the comparison.

import { mixes } from './mix.ts'
import type { Operation } from './operation.ts'
import { sameRequests } from './same.ts'
import { varyingRequests } from './varying.ts'

export const operations: readonly Operation[] = [...sameRequests, ...varyingRequests, ...mixes]
