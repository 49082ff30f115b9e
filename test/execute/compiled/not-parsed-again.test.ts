// What a compiled plan has written goes out as it is, by Yoga too: parsing it again would take longer than writing it.

import { expect, test, vi } from 'vitest'
import { createGateway } from '../../../src/gateway.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { documentWrites } from '../../harness.ts'
import { post } from '../../over-http.ts'

const typeDefs = 'type Book @document(container: "books") { id: ID! name: String! }'
const documents = { Book: [{ id: 'b1', name: 'Moon' }, { id: 'b2', name: 'Sea' }] }

test.each([['without observers', false], ['with metrics', true]])('an answer of a compiled plan is not parsed again, %s', async (_, openMetrics) => {
  const gateway = await createGateway({ typeDefs, store: openMemoryStore, seed: ({ model }) => documentWrites(model, documents), openReads: true, openMetrics, cursorSecret: 'tests' })
  const query = '{ books { nodes { name } } }'
  const parse = vi.spyOn(JSON, 'parse')
  const answer = await (await post(gateway, { query })).text()
  const parsed = parse.mock.calls.map(([text]) => text)
  parse.mockRestore()
  expect(answer).toBe('{"data":{"books":{"nodes":[{"name":"Moon"},{"name":"Sea"}]}}}')
  expect(parsed).not.toContain(answer)
  await gateway.dispose()
})
