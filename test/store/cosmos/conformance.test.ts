// The Cosmos store against the suite, over the wire.

import { openCosmosTestStore } from './local.ts'
import { conformance } from '../conformance/index.ts'

conformance('cosmos', (layout) => openCosmosTestStore(layout))
