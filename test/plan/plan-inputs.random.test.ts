// Which requests share a cached plan. Planning reads a request only through a recorder, and a plan is reused where the
// same questions get the same answers: so a plan from the cache is the plan that would have been made again.

import { makeExecutableSchema } from '@graphql-tools/schema'
import { getOperationAST, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Access } from '../../src/auth/access.ts'
import { Rules } from '../../src/auth/rules.ts'
import { createSteps } from '../../src/execute/compiled/compile/steps.ts'
import { OperationCache } from '../../src/execute/operation-cache.ts'
import { createResolvers } from '../../src/execute/resolvers.ts'
import { createCursors } from '../../src/model/keys/cursor.ts'
import { defaultPageSizes } from '../../src/plan/field-arguments.ts'
import { fits, RecordedInputs, type PlanInputs } from '../../src/plan/plan-inputs.ts'
import { planFrom } from '../../src/plan/plan-operation.ts'
import { RequestSteps } from '../../src/plan/request-steps.ts'
import type { Plan, PlanNode } from '../../src/plan/plan.ts'
import { anyAge } from '../../src/plan/freshness.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import fc, { runs } from '../fast-check.ts'

const declaration = readDeclaration(`
  type Cage @document(container: "cages") {
    id: ID!
    name: String!
    keeper: Keeper @snapshot(at: "keeper", fields: ["name"])
    vet: Vet @snapshot(at: "vet", fields: ["name"])
  }
  type Keeper @document(container: "keepers") { id: ID!  name: String!  born: Int  cages: CageConnection! @reverse(of: "Cage.keeper")  countOfCages: Int! @counted(relation: "cages") }
  type Vet @document(container: "vets") @readable(owner: "user", roles: ["doctor"]) { id: ID!  name: String!  user: String! }`)
const resolvers = createResolvers({ declaration, cursors: createCursors('tests'), pageSizes: defaultPageSizes })
const schema = makeExecutableSchema({ typeDefs: declaration.sdl, resolvers: [resolvers], resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' } })
const rules = new Rules({ model: declaration.model, reads: true, writes: true, identifies: true })
const accesses = [undefined, rules.accessOf(undefined), ...[[], ['doctor'], ['doctor', 'cook']].map((roles, at) => rules.accessOf({ id: `v${at}`, roles: new Set(roles) } as never))]

const age = fc.constantFrom(0, 5, 10, 20)
const condition = fc.constantFrom('', '@include(if: $one)', '@skip(if: $one)', '@include(if: $two)', '@skip(if: $two) @include(if: $one)')
const readDirective = fc.constantFrom('', '', '@read(from: $from)', '@read(maxStaleMs: $age)', '@read(maxStaleMs: 10)', '@read(from: SNAPSHOT)', '@read(from: REFERENCE, orStale: $two)', '@read(from: SNAPSHOT, maxStaleMs: $age)')

/** Operations with a condition or a policy at random places. */
const operations = fc.tuple(readDirective, readDirective, readDirective, condition, condition, condition).map(([ofAll, ofKeeper, ofVet, born, vet, more]) => {
  const body = `cages ${ofAll} { nodes { name keeper ${ofKeeper} { name born ${born} countOfCages } vet ${vet} ${ofVet} { name } ...More ${more} } }`
  const variables = [['one', 'Boolean = true'], ['two', 'Boolean! = false'], ['from', 'ReadFrom = AUTO'], ['age', 'Int']] as const
  const fragment = `fragment More on Cage { id keeper { id } vet ${ofVet} { id } }`
  const definitions = variables.filter(([name]) => `${body}${fragment}`.includes(`$${name}`)).map(([name, type]) => `$${name}: ${type}`).join(', ')
  return `query ${definitions && `(${definitions})`} { ${body} } ${fragment}`
})

const inputs: fc.Arbitrary<PlanInputs> = fc.record({
  variables: fc.record({ one: fc.boolean(), two: fc.boolean(), from: fc.constantFrom('AUTO', 'SNAPSHOT', 'REFERENCE'), age }, { requiredKeys: ['one', 'two', 'from'] }),
  policy: fc.record({ from: fc.constantFrom('AUTO', 'REFERENCE'), maxStaleMs: fc.option(age, { nil: undefined }), seen: age, orStale: fc.boolean() }),
  freshness: fc.record({ boundMs: age, watermark: age }),
  access: fc.constantFrom(...accesses),
})

function open(text: string) {
  const known = new OperationCache({ schema, declaration, steps: createSteps(declaration, new Set(), { cursors: createCursors('tests'), sizes: defaultPageSizes }), limits: { bytes: 10_000_000, rows: 100_000 }, sameObjects: true, bytes: 10_000_000, trusted: true })
  const document = parse(text)
  const operation = getOperationAST(document)!
  const added = known.add(text, undefined, document, operation, {})
  const fresh = (given: PlanInputs) => {
    const recording = new RecordedInputs(given)
    return { plan: planFrom({ schema, declaration, document, operation, naive: false }, recording, new RequestSteps()), recorded: recording.recorded }
  }
  return { cached: (given: PlanInputs) => known.planned(added, given, given.variables), fresh }
}

describe('a plan from the cache', () => {
  test('is the plan that would be made again, for random operations and requests', () => {
    let [reused, made] = [0, 0]
    // A few kinds of requests, which come again and again.
    const sequences = fc.array(inputs, { minLength: 1, maxLength: 8 }).chain((few) => fc.array(fc.tuple(fc.constantFrom(...few), age), { minLength: 20, maxLength: 40 }))
      .map((picked) => picked.map(([given, boundMs]) => ({ ...given, freshness: { ...given.freshness, boundMs } })))
    fc.assert(fc.property(operations, sequences, (text, requests) => {
      const { cached, fresh } = open(text)
      const plans = new Set(requests.map((given) => {
        const planned = cached(given)
        expect(treeOf(planned.plan)).toEqual(treeOf(fresh(given).plan))
        return planned
      }))
      reused += requests.length - plans.size
      made += plans.size
    }), { numRuns: runs(100) })
    expect(reused).toBeGreaterThan(made)
  })

  test('is reused when nothing that planning asked about has changed', () => {
    const { cached } = open('{ cages { nodes { name keeper { name } } } }')
    const given: PlanInputs = { variables: {}, policy: anyAge, freshness: { boundMs: 3, watermark: 1 }, access: accesses[2] }
    const plan = cached(given)
    expect(cached({ ...given, variables: { any: 'other' }, freshness: { boundMs: 99, watermark: 2 }, access: { ...accesses[2], name: accesses[2]!.name } as Access })).toBe(plan)
    expect(cached({ ...given, access: accesses[3] })).not.toBe(plan)
    expect(cached(given)).toBe(plan)
  })

  test('is one of few: clients cannot fill memory with the values of a variable', () => {
    const { cached } = open('query ($age: Int) { cages { nodes { keeper @read(maxStaleMs: $age) { name } } } }')
    const first = cached(ofAge(0))
    for (let ms = 1; ms < 100; ms++) cached(ofAge(ms))
    expect(cached(ofAge(0))).not.toBe(first)
    expect(cached(ofAge(99))).toBe(cached(ofAge(99)))
  })
})

describe('planning', () => {
  test('reads nothing of a request that it does not record', () => {
    fc.assert(fc.property(operations, inputs, (text, given) => {
      const [planning, asking] = [watched(given), watched(given)]
      const { recorded } = open(text).fresh(planning.inputs)
      expect(fits(recorded, asking.inputs)).toBe(true)
      // What rules say is the same for all viewers whose access has the same name.
      expect([...planning.read].map((path) => path.replace(/^access\..*/, 'access.name')).filter((path) => !asking.read.has(path))).toEqual([])
    }), { numRuns: runs(100) })
  })

  test('cannot read all variables at once', () => {
    expect(() => Object.keys(new RecordedInputs({ variables: { one: 1 }, policy: anyAge, freshness: { boundMs: 0, watermark: 0 }, access: undefined }).variables)).toThrow('by name')
  })
})

function ofAge(ms: number): PlanInputs {
  return { variables: { age: ms }, policy: anyAge, freshness: { boundMs: 0, watermark: Infinity }, access: undefined }
}

/** The same inputs, and the paths of what was read of them. */
function watched(given: PlanInputs): { readonly inputs: PlanInputs; readonly read: Set<string> } {
  const read = new Set<string>()
  const watch = <T extends object>(of: T, path: string): T => new Proxy(of, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      const isLeaf = typeof value !== 'object' || value === null || path !== ''
      if (isLeaf) read.add(`${path}${String(name)}`)
      if (typeof value === 'function') return value.bind(target) as unknown
      return isLeaf ? value : watch(value, `${String(name)}.`)
    },
    getOwnPropertyDescriptor(target, name) {
      read.add(`${path}${String(name)}`)
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
  })
  return { inputs: watch(given, ''), read }
}

/** What a plan does, without the counters of its runs. */
function treeOf({ roots }: Plan): unknown {
  const tree = (nodes: ReadonlyMap<string, PlanNode>): unknown => [...nodes].map(([name, { coordinate, choice, written, children }]) => ({ name, coordinate, choice, written: written.length, children: tree(children) }))
  return tree(roots)
}
