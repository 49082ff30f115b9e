// Options that programs without types get wrong: refused at the start, by name, with what to pass instead.

import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '../../src/errors.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'

const typeDefs = 'type Cage @document(container: "cages") { id: ID! }'

async function problemsOf(options: unknown): Promise<string[]> {
  const error: unknown = await createGateway(options as GatewayOptions).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  return (error as ConfigError).message.split('\n')
}

describe('createGateway', () => {
  test.each([
    ['no typeDefs', { store: openMemoryStore }, [/typeDefs is missing.*readSchemaFolder/]],
    ['a list as typeDefs', { typeDefs: [typeDefs], store: openMemoryStore }, [/typeDefs is a list.*a string/]],
    ['another object as typeDefs', { typeDefs: {}, store: openMemoryStore }, [/typeDefs is another object/]],
    ['no store', { typeDefs }, [/store is missing.*openMemoryStore/]],
    ['a store that is being opened', { typeDefs, store: openMemoryStore([]) }, [/store is a promise.*a function/]],
    ['a misspelt option', { typeDefs, store: openMemoryStore, developmnt: true }, [/no option developmnt.*Did you mean development\?/]],
    ['an unknown option', { typeDefs, store: openMemoryStore, cacheControl: true }, [/no option cacheControl.*typeDefs, store,/]],
    ['the name of a method', { typeDefs, store: openMemoryStore, toString: 1 }, [/no option toString/]],
    ['a limit below 0', { typeDefs, store: openMemoryStore, limits: { depth: -1 } }, [/limits has depth: -1.*from 0/]],
    ['a limit that is text', { typeDefs, store: openMemoryStore, limits: { depth: '8' } }, [/limits has depth: 8/]],
    ['a limit that there is not', { typeDefs, store: openMemoryStore, limits: { dept: 8 } }, [/limits has dept: 8.*depth/]],
    ['a deadline that is no number', { typeDefs, store: openMemoryStore, load: { deadlineMs: NaN } }, [/load has deadlineMs: NaN/]],
    ['a number as load', { typeDefs, store: openMemoryStore, load: 7 }, [/load is 7/]],
    ['a budget below 0', { typeDefs, store: openMemoryStore, budget: { requestCharge: -1 } }, [/budget has requestCharge: -1/]],
    ['pages of less than nothing', { typeDefs, store: openMemoryStore, pageSizes: { default: -20 } }, [/pageSizes has default: -20/]],
    ['caches of less than nothing', { typeDefs, store: openMemoryStore, planBytes: -1, documentBytes: -1 }, [/planBytes is -1/, /documentBytes is -1/]],
    ['nothing', undefined, [/typeDefs is missing/, /store is missing/]],
    ['several mistakes', { typedefs: typeDefs, store: null }, [/typeDefs is missing/, /store is missing/, /no option typedefs.*Did you mean typeDefs\?/]],
  ])('with %s', async (_, options, problems) => {
    const found = await problemsOf(options)
    expect(found).toHaveLength(problems.length)
    for (const [index, problem] of problems.entries()) expect(found[index]).toMatch(problem)
  })

  test('opens no store if an option is unknown', async () => {
    let opened = 0
    await problemsOf({ typeDefs, store: () => { opened++ }, colour: 1 })
    expect(opened).toBe(0)
  })

  test('takes SDL that is parsed, and options that are undefined', async () => {
    const gateway = await createGateway({ typeDefs: parse(typeDefs), store: openMemoryStore, identity: undefined, budget: undefined })
    await gateway.dispose()
  })
})
