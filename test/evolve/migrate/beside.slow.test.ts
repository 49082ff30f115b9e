// Migrations beside gateways on servers: whatever changes on PostgreSQL, and on Cosmos DB one class that copies, where waiting takes longest.

import { describe, test } from 'vitest'
import { stores } from '../../harness.ts'
import { classes, migrateBeside } from './beside.ts'

const changes: Readonly<Record<string, readonly string[]>> = { postgres: Object.keys(classes), cosmos: ['objects that become documents'] }

describe.for(stores.filter(({ name }) => changes[name] !== undefined))('on $name', (store) => {
  test.each(changes[store.name]!)('%s', (change) => migrateBeside(store, change), 300_000)
})
