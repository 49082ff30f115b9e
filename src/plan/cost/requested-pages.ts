// How large the pages are that an operation asks for: by its text, by variables, by defaults. Nothing else of its
// arguments is looked at, beside how cursors are written.

import { getNullableType, isListType, isObjectType, Kind, print, visit, type DocumentNode, type GraphQLField, type GraphQLSchema } from 'graphql'
import type { Window } from '../../read/listing.ts'
import type { PageSizes } from '../page-window.ts'
import { asksForMore, type PlanNode } from '../plan.ts'

const sizeArguments: readonly string[] = ['first', 'last']

export class AskedPages {
  readonly #schema: GraphQLSchema
  readonly #sizes: PageSizes
  readonly #variables = new WeakMap<DocumentNode, readonly string[]>()

  constructor(schema: GraphQLSchema, sizes: PageSizes) {
    this.#schema = schema
    this.#sizes = sizes
  }

  /** Equal for requests whose pages have the same sizes everywhere. */
  sizesIn(document: DocumentNode, variables: Record<string, unknown>): string {
    const names = this.#variablesIn(document)
    return names.length === 0 ? '' : names.map((name) => (variables[name] === undefined ? '' : this.#size(variables[name]))).join()
  }

  /** The page at a place. Cursors are told apart by how they are written. */
  at(node: PlanNode, variables: Record<string, unknown>): Window {
    const given = new Map(node.written[0]!.arguments?.map((argument) => [argument.name.value, argument]))
    const cursors = ['after', 'before'].flatMap((name) => (given.has(name) ? [print(given.get(name)!)] : [])).join()
    const sizes = sizeArguments.flatMap((name) => {
      const value = given.get(name)?.value
      const asked = value?.kind === Kind.INT ? Number(value.value) : value?.kind === Kind.VARIABLE ? variables[value.name.value] : value && null
      const size = asked === undefined ? this.#defaultOf(node, name) : asked
      return typeof size === 'number' ? [this.#size(size)] : []
    })
    return {
      limit: sizes.length === 0 ? this.#sizes.usual : Math.max(...sizes),
      after: cursors === '' ? undefined : { value: cursors, id: cursors }, backwards: given.has('last'), peek: asksForMore(node),
    }
  }

  /** Whether there can be more than one of what is found at a place. */
  isSeveral(node: PlanNode): boolean {
    const field = this.#fieldAt(node)
    return field !== undefined && (isListType(getNullableType(field.type)) || field.args.some(({ name }) => sizeArguments.includes(name)))
  }

  /** As many as a page has when it is asked for so many. */
  #size(asked: unknown): number {
    const { usual, most } = this.#sizes
    return typeof asked === 'number' ? Math.min(Math.max(asked, 0), most) : usual
  }

  /** What the schema says where the operation says nothing. */
  #defaultOf(node: PlanNode, name: string): unknown {
    return this.#fieldAt(node)?.args.find((argument) => argument.name === name)?.defaultValue
  }

  #fieldAt({ coordinate }: PlanNode): GraphQLField<unknown, unknown> | undefined {
    const [typeName = '', name = ''] = coordinate.split('.')
    const type = this.#schema.getType(typeName)
    return isObjectType(type) ? type.getFields()[name] : undefined
  }

  /** The variables that say how large pages are. */
  #variablesIn(document: DocumentNode): readonly string[] {
    const known = this.#variables.get(document)
    if (known) return known
    const names = new Set<string>()
    visit(document, {
      [Kind.ARGUMENT]({ name, value }) {
        if (sizeArguments.includes(name.value) && value.kind === Kind.VARIABLE) names.add(value.name.value)
      },
    })
    this.#variables.set(document, [...names])
    return [...names]
  }
}
