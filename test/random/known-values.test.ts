// The known values of a domain find documents: random operations that find nothing would prove nothing. They find the
// same documents whether or not the arguments determine the partition.

import { beforeAll, describe, expect, test } from 'vitest'
import { stores, unlikeStores } from '../harness.ts'
import { domains, openGateways, type Gateways } from './gateways.ts'

for (const [name, domain] of Object.entries(domains)) {
  describe.for(name === 'the shipped library' ? unlikeStores : stores)(`${name} on $name`, ({ store }) => {
    let gateways: Gateways
    beforeAll(async () => {
      gateways = await openGateways(domain, store)
    })

    test('finds every document by its id, with and without the partition arguments', async () => {
      const { known, chosen } = gateways
      const lookups = Object.entries(known.arguments).flatMap(([coordinate, sets]) => sets.map((set) => ({ field: coordinate.replace('Query.', ''), set })))
      const { data, errors } = await chosen(`{ ${lookups.map(({ field, set }, index) => `f${index}: ${field}(${written(set)}) { __typename }`).join(' ')} }`)
      expect(errors).toBeUndefined()
      expect(lookups.filter((_, index) => data![`f${index}`] !== null)).toEqual(lookups.filter(({ set }) => !isMissing(set)))
    })

    test('finds the same documents by a filter, whether or not it determines the partition', async () => {
      for (const { list, type, filter } of filters(gateways)) {
        const { data, errors } = await gateways.chosen(
          `query ($plain: ${type}, $nested: ${type}) { plain: ${list}(filter: $plain) { ...F } nested: ${list}(filter: $nested) { ...F } }
          fragment F on ${type.replace(/Filter$/, 'Connection')} { totalCount nodes { id } }`,
          { variables: { plain: filter, nested: { and: [filter] } } },
        )
        expect(errors).toBeUndefined()
        expect({ filter, found: data!['plain'] }).toEqual({ filter, found: data!['nested'] })
        expect(data!['plain']).not.toMatchObject({ totalCount: 0 })
      }
    })
  })
}

function written(set: Readonly<Record<string, unknown>>): string {
  return Object.entries(set).map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')
}

function isMissing({ id, nodeId }: Readonly<Record<string, unknown>>): boolean {
  return id === 'nowhere' || Buffer.from(String(nodeId ?? ''), 'base64url').includes('nowhere')
}

/** One filter for each value that is known to be there. */
function filters({ schema, known }: Gateways): { list: string; type: string; filter: object }[] {
  return Object.values(schema.getQueryType()!.getFields()).filter((field) => String(field.type).includes('Connection')).flatMap(({ name: list, args }) => {
    const type = String(args.find(({ name }) => name === 'filter')?.type)
    const entries = Object.entries(known.values).filter(([coordinate]) => coordinate.startsWith(`${type}.`))
    return entries.flatMap(([coordinate, values]) => values.map((value) => {
      const field = coordinate.slice(type.length + 1)
      return { list, type, filter: { [field]: { [field.endsWith('Ids') ? 'contains' : 'eq']: value } } }
    }))
  })
}
