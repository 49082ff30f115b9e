// Migrations beside gateways, whatever changes, in this process. On servers waiting is real: beside.slow.test.ts and random-beside.test.ts migrate there.

import { describe, test } from 'vitest'
import { stores } from '../../harness.ts'
import { classes, migrateBeside } from './beside.ts'

describe.for(stores.filter(({ name }) => name === 'memory' || name === 'sqlite'))('on $name', (store) => {
  test.each(Object.keys(classes))('%s', (change) => migrateBeside(store, change), 30_000)
})
