// Hostile values in mutations: refused with a reason, or read back exactly as given, also by a filter for them.

import { getNamedType, isInputObjectType, isObjectType, type GraphQLInputObjectType, type GraphQLSchema } from 'graphql'
import { operation, type Ask, type HostileClass } from '../hostile-request.ts'
import { plausible } from '../values.ts'
import { listsOf, type World } from '../world.ts'
import { hostileText } from './payloads.ts'

export const verbatim: HostileClass = {
  name: 'values to be stored', weight: 8, suits: ({ writes }) => writes,
  make(random, world) {
    const { type } = random.pick(listsOf(world.schema))
    const input = world.schema.getType(`Create${type}Input`) as GraphQLInputObjectType
    const texts = textsOf(world, input, type)
    const id = random.chance(0.8) ? `kept-${random.below(2 ** 31).toString(36)}-${random.below(2 ** 31).toString(36)}` : hostileText(random)
    const given = { ...(plausible(input, '', random, world, input.name) as object), ...Object.fromEntries(texts.filter(() => random.chance(0.7)).map((name) => [name, hostileText(random)])), id }
    const payload = Object.values((world.schema.getMutationType()!.getFields()[`create${type}`]!.type as unknown as { ofType: { getFields(): Record<string, { name: string }> } }).ofType.getFields()).find(({ name }) => name !== 'clientMutationId')!.name
    const query = `mutation($input: ${input.name}!) { create${type}(input: $input) { ${payload} { id ${texts.join(' ')} nodeId } } }`
    return { ...operation(query, { input: given }), afterwards: async ({ body }, ask) => {
      const created = (JSON.parse(body) as { data?: Record<string, Record<string, Node> | null> | null }).data?.[`create${type}`]?.[payload]
      if (!created) return []
      const problems = [...differing('the answer', texts, given, created), ...(await readBack(type, texts, given, created, ask))]
      const found = await lookedFor(world.schema, type, texts, given, ask)
      // Other requests may reference it by now; what remains is deleted at the end.
      const deleted = await ask(`mutation($input: Delete${type}Input!) { delete${type}(input: $input) { clientMutationId } }`, { input: deletion(world.schema, type, created) })
      return [...problems, ...found, ...(deleted.errors?.some(({ extensions }) => extensions?.code !== 'REFERENCED') ? [`what was stored cannot be deleted: ${deleted.errors[0]!.message}`] : [])]
    } }
  },
}

type Node = Readonly<Record<string, unknown>> & { readonly id: string; readonly nodeId: string }

/** Text fields of an input that the document has under the same name. */
function textsOf({ schema }: World, input: GraphQLInputObjectType, type: string): string[] {
  const document = schema.getType(type)
  const fields = isObjectType(document) ? document.getFields() : {}
  return Object.values(input.getFields()).flatMap(({ name, type: taken }) => (String(taken).replace('!', '') === 'String' && Object.hasOwn(fields, name) ? [name] : []))
}

function differing(where: string, names: readonly string[], given: object, found: Node): string[] {
  return names.filter((name) => Object.hasOwn(given, name) && (given as Record<string, unknown>)[name] !== found[name]).map((name) => `${where} has another text at ${name} than was given`)
}

async function readBack(type: string, texts: readonly string[], given: object, { nodeId }: Node, ask: Ask): Promise<string[]> {
  const { data } = await ask(`query($nodeId: ID!) { node(nodeId: $nodeId) { ... on ${type} { id nodeId ${texts.join(' ')} } } }`, { nodeId })
  return data?.['node'] ? differing('what is stored', texts, given, data['node'] as Node) : ['what was stored cannot be read by its global id']
}

/** A field that can be filtered is found by its own value. */
async function lookedFor(schema: GraphQLSchema, type: string, texts: readonly string[], given: object, ask: Ask): Promise<string[]> {
  const filter = schema.getType(`${type}Filter`)
  const list = listsOf(schema).find((each) => each.type === type)
  const names = isInputObjectType(filter) ? texts.filter((name) => Object.hasOwn(given, name) && Object.hasOwn(filter.getFields(), name)) : []
  const problems: string[] = []
  for (const name of names) {
    const [eq, { id }] = [(given as Record<string, unknown>)[name], given as { id: string }]
    const { data } = await ask(`query($filter: ${type}Filter) { ${list!.field}(filter: $filter) { nodes { id } } }`, { filter: { [name]: { eq }, id: { eq: id } } })
    const nodes = (data?.[list!.field] as { nodes: { id: string }[] } | undefined)?.nodes
    if (nodes?.length !== 1) problems.push(`what is stored is not found by its own ${name}`)
  }
  return problems
}

/** The input of a deletion, from the document itself. */
export function deletion(schema: GraphQLSchema, type: string, document: Readonly<Record<string, unknown>>): object {
  const input = getNamedType(schema.getType(`Delete${type}Input`)!) as GraphQLInputObjectType
  return Object.fromEntries(Object.keys(input.getFields()).filter((name) => document[name] !== undefined && name !== 'clientMutationId').map((name) => [name, document[name]]))
}

