// The random operations over a domain. They are made once, since that takes as long as asking a hundred of them;
// and what they know of the documents one store tells for all, since the documents are the same in each.

import type { Arbitrary } from 'fast-check'
import { buildClientSchema, getIntrospectionQuery, type GraphQLSchema, type IntrospectionQuery } from 'graphql'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openGateway } from '../harness.ts'
import type { Domain } from './gateways.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { knownValues } from './known-values.ts'
import { pageSize, type KnownValues } from './random-arguments.ts'
import { randomOperation } from './random-operation.ts'
import { servedOrders } from './served-orders.ts'
import type { WrittenOperation } from './write-operation.ts'

export interface OperationsOver {
  readonly schema: GraphQLSchema
  readonly known: KnownValues
  readonly operations: Arbitrary<WrittenOperation>
}

export function operationsOver(domain: Domain): Promise<OperationsOver> {
  const made = madeOver.get(domain) ?? make(domain)
  madeOver.set(domain, made)
  return made
}

const madeOver = new Map<Domain, Promise<OperationsOver>>()

async function make(domain: Domain): Promise<OperationsOver> {
  const ask = await openGateway({ ...domain, store: openMemoryStore, pageSizes: { default: pageSize } })
  const schema = buildClientSchema((await ask(getIntrospectionQuery())).data as unknown as IntrospectionQuery)
  const known = { ...(await knownValues(schema, ask)), orders: servedOrders(readDeclaration(domain.typeDefs, domain.derive).model) }
  await ask.close()
  return { schema, known, operations: randomOperation(schema, known) }
}
