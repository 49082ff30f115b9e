// A refusal names the role that is missing, however the field leads to the protected type.

import { expect, test } from 'vitest'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openGateway } from '../harness.ts'

const typeDefs = `
  type Report @document(container: "reports") @readable(roles: ["auditor", "chief"]) @writable(roles: ["auditor"]) { id: ID! verdict: String! topic: Topic @reference(at: "t") }
  type Topic @document(container: "topics") @writable(by: SIGNED_IN) { id: ID! reports: ReportConnection! @reverse(of: "Report.topic") }
  extend type Query { newestReport: Report reportsOfToday: [Report!]! reportPage: ReportConnection! }
  type Subscription { reportChanged: Report }`

const resolvers = {
  Query: { newestReport: () => null, reportsOfToday: () => [], reportPage: () => null },
  Subscription: { reportChanged: { subscribe: async function* () { yield {} } } },
}

test.each([
  ['{ report(id: "r") { id } }', 'Query.report requires role auditor or chief'],
  ['{ reports { nodes { id } } }', 'Query.reports requires role auditor or chief'],
  ['{ reports { totalCount } }', 'Query.reports requires role auditor or chief'],
  ['{ newestReport { id } }', 'Query.newestReport requires role auditor or chief'],
  ['{ reportsOfToday { id } }', 'Query.reportsOfToday requires role auditor or chief'],
  ['{ reportPage { totalCount } }', 'Query.reportPage requires role auditor or chief'],
  ['{ topics { nodes { reports { totalCount } } } }', 'Topic.reports requires role auditor or chief'],
  ['subscription { reportChanged { id } }', 'Subscription.reportChanged requires role auditor or chief'],
  ['mutation { deleteReport(input: { id: "r" }) { clientMutationId } }', 'Mutation.deleteReport requires role auditor'],
])('%s', async (query, message) => {
  const ask = await openGateway({
    typeDefs, resolvers, store: openMemoryStore, development: false,
    identity: { viewerOf: () => ({ id: 'ada', roles: new Set(['editor']), tenant: undefined }) },
  })
  expect((await ask(query)).errors).toMatchObject([{ message: expect.stringContaining(message) as string, extensions: { code: 'FORBIDDEN' } }])
  await ask.close()
})
