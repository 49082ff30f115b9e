// Aggregates that ask for far too many groups: by every field, by the same field thousands of times, by fields that do not exist,
// and many of them at once.

import { getNamedType, isEnumType } from 'graphql'
import { operation, type HostileClass } from '../hostile-request.ts'
import type { Place } from '../places.ts'
import { operationAt } from '../values.ts'
import { hostileText } from './payloads.ts'

export const aggregates: HostileClass = {
  name: 'aggregates', weight: 2,
  make(random, world) {
    const place = random.pick(world.places.filter(isGroupBy))
    const type = getNamedType(place.type)
    const names = isEnumType(type) ? type.getValues().map(({ name }) => name) : []
    const field = place.trail[0]!.name
    if (place.trail.length === 1 && random.chance(0.3)) {
      const aggregate = `${field}(groupBy: [${names.join(' ')}]) { count groups { count } }`
      return operation(`{ ${Array.from({ length: random.pick([2, 60, 190]) }, (_, at) => `a${at}: ${aggregate}`).join(' ')} }`)
    }
    const length = random.pick([0, 1, 5, 100, 5000])
    const groupBy = random.pick([
      () => names,
      () => Array.from({ length }, () => random.pick(names)),
      () => Array.from({ length: length + 1 }, () => random.pick([...names, null, [], {}, 7, hostileText(random)])),
    ])()
    const { query, variables } = operationAt(place, groupBy, random, world)
    return operation(query, variables)
  },
}

function isGroupBy({ argument, path, operation: kind }: Place): boolean {
  return argument.name === 'groupBy' && path.length === 0 && kind === 'query'
}
