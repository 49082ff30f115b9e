// The Cosmos store against the suite, over the wire.

import { runs } from '../../fast-check.ts'
import { openCosmosTestStore } from './local.ts'
import { conformance } from '../conformance/index.ts'

conformance('cosmos', (layout) => openCosmosTestStore(layout), runs(50))
