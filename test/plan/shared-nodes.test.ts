// Below an interface a plan has a node for each type, and they share what is below them. Otherwise a field that leads to its
// own interface would take a node for each path through the types: a short operation could end the process.

import { parse, type OperationDefinitionNode } from 'graphql'
import { describe, expect, test } from 'vitest'
import { anyAge } from '../../src/plan/freshness.ts'
import { servedSchema } from '../../src/plan/explain/explain.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { Recorder } from '../../src/observe/workload/recorder.ts'
import { openGateway } from '../harness.ts'

const names = ['Ant', 'Bee', 'Cat', 'Dog', 'Emu', 'Fox', 'Gnu', 'Hen']
const typeDefs = `
  interface Animal { id: ID! near: Animal }
  ${names.map((name) => `type ${name} implements Animal { id: ID! near: Animal own${name}: Int }`).join('\n')}
  type Cage @document(container: "cages") { id: ID! }
  extend type Query { animal: Animal }
`
const animal = (depth: number): object => ({ __typename: names[depth % names.length], id: `${depth}`, near: depth === 0 ? null : animal(depth - 1) })
const open = (development: boolean, record?: Recorder) => openGateway({ ...(record ? { record } : {}), typeDefs, store: openMemoryStore, openReads: true, development, resolvers: { Query: { animal: () => animal(25) }, Animal: { __resolveType: ({ __typename }: { __typename: string }) => __typename } } })

/** `{ animal { near { near { id } } } }` */
function nested(depth: number, innermost = 'id'): string {
  return `{ animal ${'{ near '.repeat(depth)}{ ${innermost} }${' }'.repeat(depth)} }`
}

/** Many times the same below other names. */
function wide(count: number): string {
  return Array.from({ length: count }, (_, at) => `a${at}: near ${nested(6).slice('{ animal'.length, -2)}`).join(' ')
}

test('nodes grow with the depth of an operation, and not with the paths through the types', () => {
  const declaration = readDeclaration(typeDefs)
  const schema = servedSchema(declaration)
  const document = parse(nested(20))
  const plan = planOperation({ schema, declaration, document, operation: document.definitions[0] as OperationDefinitionNode, naive: false, variables: {}, policy: anyAge, freshness: { boundMs: 0, watermark: 0 } })
  expect(plan.all().size).toBe(1 + 21 * names.length)
  expect(plan.paths).toBeGreaterThan(8 ** 20)
  expect(plan.copy().all().size).toBe(plan.all().size)
})

test('an operation through 25 levels of an interface is not recorded, and answered', async () => {
  const record = new Recorder()
  const ask = await open(true, record)
  expect((await ask(nested(24))).errors).toBeUndefined()
  expect(record.workload().leftOut.operations).toBe(1)
  await ask.close()
})

describe.each([true, false])('development %s', (development) => {
  test('an operation through 25 levels of an interface is answered', async () => {
    const ask = await open(development)
    for (let time = 1; time <= 2; time++) {
      const { data, errors } = await ask(nested(24))
      expect(errors).toBeUndefined()
      expect(JSON.stringify(data)).toContain('{"id":"1"}')
    }
    await ask.close()
  })

  test('fields of each type stay their own', async () => {
    const ask = await open(development)
    const { data } = await ask('{ animal { near { __typename ... on Ant { id near { __typename } } ... on Hen { near { id near { __typename } } } } } }')
    // 25 is a Bee, 24 an Ant.
    expect(data).toEqual({ animal: { near: { __typename: 'Ant', id: '24', near: { __typename: 'Hen' } } } })
    await ask.close()
  })

  test('a plan with too many nodes is refused', async () => {
    const ask = await open(development)
    expect((await ask(`{ animal { ${wide(20)} } }`)).errors).toBeUndefined()
    expect((await ask(`{ animal { ${wide(195)} } }`)).errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }])
    await ask.close()
  })
})

