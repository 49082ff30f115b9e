// A store that tenants share is migrated beside a gateway where waiting is real.

import { test } from 'vitest'
import { stores } from '../../harness.ts'
import { tenantsMigrate } from './tenants.ts'

test.each(stores.filter(({ name }) => name === 'cosmos'))('on $name, beside a gateway', async (store) => tenantsMigrate(store, true), 60_000)
