// The Cosmos DB store in the conformance suite, over HTTP.

import { runs } from '../../fast-check.ts'
import { openCosmosTestStore } from './local.ts'
import { conformance } from '../conformance/index.ts'

conformance('cosmos', (layout) => openCosmosTestStore(layout), runs(50))
