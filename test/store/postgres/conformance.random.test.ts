// The PostgreSQL store in the conformance suite.

import { runs } from '../../fast-check.ts'
import { conformance } from '../conformance/index.ts'
import { openPostgresTestStore } from './local.ts'

conformance('postgres', (layout) => openPostgresTestStore(layout), runs(20))
