// The schemas whose cycles are attacked with operations that grow: the shipped one, and one of interfaces and unions that lead to themselves.

import { derive } from '../../schema/library/derive.ts'
import { resolvers } from '../../schema/library/resolvers.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'

interface Plain {
  readonly __typename: string
}

const kinds = ['Leaf', 'Stem', 'Root', 'Seed']
const interfaces: Pick<GatewayOptions, 'typeDefs' | 'resolvers'> = {
  typeDefs: `
    interface Part { label: String near: Part next: [Part!] }
    ${kinds.map((name) => `type ${name} implements Part { label: String near: Part next: [Part!] @contained(max: 9) owner: Plant @reference(at: "owner") }`).join('\n')}
    type Plant @document(container: "plants") { id: ID! name: String @indexed friends: [Plant!]! @reference(at: "friends") copies: [Plant!]! @snapshot(at: "copies", fields: ["name"]) parts: PlantPart }
    union PlantPart = Bud | Bark
    type Bud @shape(has: "bud") { bud: String inner: PlantPart plant: Plant @reference(at: "plant") }
    type Bark @shape(has: "bark") { bark: String inner: PlantPart plant: Plant @reference(at: "plant") }
    extend type Query { part: Part }`,
  resolvers: {
    Query: { part: () => branching(9) },
    Part: { __resolveType: ({ __typename }: Plain) => __typename },
  },
}

/** Every part has three more. Objects are shared, so that only answers are large. */
function branching(left: number): object {
  let below: object | undefined
  for (let level = 0; level <= left; level++) {
    const next: object | undefined = below
    below = { __typename: kinds[level % kinds.length], label: `${level}`, near: next ?? null, next: next ? [next, next, next] : [], owner: '0' }
  }
  return below!
}

export const growingSchemas: readonly (readonly [string, Pick<GatewayOptions, 'typeDefs' | 'derive' | 'resolvers'>])[] = [
  ['the shipped schema', { typeDefs: readSdlFolder('schema/library'), derive, resolvers }],
  ['a schema of interfaces', interfaces],
]
