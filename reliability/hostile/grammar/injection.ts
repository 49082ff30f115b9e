// Fragments of query languages in every text that the schema takes, in variables and literals. Such a text may be searched
// for, stored or refused, but never cause a server fault.

import { getNamedType } from 'graphql'
import { operation, type HostileClass } from '../hostile-request.ts'
import { literal, operationAt } from '../values.ts'
import { hostileText } from './payloads.ts'

export const injection: HostileClass = {
  name: 'injection', weight: 24,
  make(random, world) {
    const place = random.pick(world.texts)
    const text = random.chance(0.03) ? world.value.text : hostileText(random)
    const { query, variables } = operationAt(place, text, random, world)
    if (random.chance(0.7)) return operation(query, variables)
    const inline = query.replace(/^(\w+)\(.*?\) \{/, '$1 {').replaceAll(/: \$(v\d+)/g, (_, name: string) => `: ${literal(variables[name], typeOf(query, name, world.schema))}`)
    return operation(inline)
  },
}

/** The declared type of a variable by name, which is enough to know enums. */
function typeOf(query: string, name: string, schema: Parameters<typeof operationAt>[3]['schema']) {
  const [, declared = ''] = new RegExp(`\\$${name}: \\[*(\\w+)`).exec(query) ?? []
  const type = schema.getType(declared)
  return type ? (getNamedType(type) as never) : undefined
}
