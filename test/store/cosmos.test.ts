// The Cosmos store against the suite, over the wire.

import { openCosmosTestStore } from '../cosmos/local.ts'
import { conformance } from './conformance/index.ts'

conformance('cosmos', (layout) => openCosmosTestStore(layout))
