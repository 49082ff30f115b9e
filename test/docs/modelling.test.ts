// Every pattern of the guide on every store: what its operations answer and read, that what is written is
// true everywhere afterwards, and that a check has nothing to say.

import { describe, expect, test } from 'vitest'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import type { Store } from '../../src/store/store.ts'
import { expectReads } from '../calls.ts'
import { openGateway, stores, type Answer } from '../harness.ts'
import { expectations } from './expectations.ts'
import { readPatterns, type Pattern, type PatternOperation } from './patterns.ts'

const patterns = readPatterns()

test('every operation of every pattern has its expectation', () => {
  expect(Object.keys(expectations)).toEqual(patterns.map(({ name }) => name))
  for (const { name, operations } of patterns) {
    const { reads, writes } = expectations[name]!
    expect([...Object.keys(reads), ...Object.keys(writes)]).toEqual(operations.map((operation) => operation.name))
  }
})

describe.each(stores)('on $name', ({ store }) => {
  for (const pattern of patterns) {
    const { reads, writes } = expectations[pattern.name]!
    test(`${pattern.name} is read as the guide says, and what it comes with is clean`, async () => {
      const { run, findings, close } = await open(pattern, store)
      for (const operation of pattern.operations.filter((one) => !one.writes)) {
        const { data, errors, report } = await run(operation)
        expect(errors).toBeUndefined()
        expect(data).toEqual(reads[operation.name]!.answer(pattern.documents))
        expectReads(report, reads[operation.name]!.reads)
      }
      expect(await findings()).toEqual([])
      await close()
    })

    for (const operation of pattern.operations.filter((one) => one.writes)) {
      test(`${pattern.name}: after ${operation.name} everything is true`, async () => {
        const expected = writes[operation.name]!
        const { run, ask, findings, close } = await open(pattern, store)
        const { errors } = await run(operation)
        if ('code' in expected) expect(errors).toMatchObject([{ extensions: { code: expected.code } }])
        else {
          expect(errors).toBeUndefined()
          expect((await ask(expected.afterwards)).data).toEqual(expected.gives)
        }
        expect(await findings()).toEqual([])
        await close()
      })
    }
  }
})

async function open({ folder }: Pattern, openStore: GatewayOptions['store']) {
  const served = await readSchemaFolder(folder)
  const declaration = readDeclaration(served.typeDefs, served.derive)
  let opened: Store | undefined
  const ask = await openGateway({ ...served, store: async (layout) => (opened = await openStore(layout)) })
  return {
    ask,
    run: ({ text, name }: PatternOperation): Promise<Answer> => ask(only(text, name)),
    findings: () => Array.fromAsync(checkStore(declaration, opened!), ({ sentence }) => sentence),
    close: () => ask.close(),
  }
}

/** One operation of a file, since the harness asks for the only one. */
function only(text: string, name: string): string {
  return text.split(/\n(?=# )/).find((part) => new RegExp(`^(query|mutation) ${name} `, 'm').test(part))!
}
