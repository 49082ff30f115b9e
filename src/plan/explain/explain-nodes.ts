// From the plan of an operation to its places: what is asked at each, for how many holders, and after
// which answer. The plan has chosen already; here its choices are only followed.

import { getArgumentValues, getNamedType, isAbstractType, type GraphQLSchema } from 'graphql'
import type { Declaration } from '../../relations/declaration.ts'
import type { Cursors } from '../../model/keys/cursor.ts'
import { once, upTo, type PlannedRead, type PlannedReads, type Range } from '../../read/planned-reads.ts'
import type { Window } from '../../read/listing.ts'
import { fieldAt, type Field } from '../../model/model.ts'
import { readWindow, type PageSizes } from '../page-window.ts'
import { asksForMore, type PlanNode } from '../plan.ts'
import type { Relation } from '../../relations/kind.ts'
import type { Known } from './assumptions.ts'
import type { Place, Question } from './explained-node.ts'
import { perhaps, times } from './range.ts'
import { rootAsks, type RootAsks } from './root-reads.ts'

export interface PlacesOptions {
  readonly schema: GraphQLSchema
  readonly declaration: Declaration
  readonly variables: Record<string, unknown>
  readonly pageSizes: PageSizes
  readonly known: Known
  /** For who must not look at what arguments say: which page is asked for at a place, and what a root asks of the store. */
  readonly window?: (scope: string, node: PlanNode) => Window
  readonly rootAsks?: (node: PlanNode, window: Window) => RootAsks | undefined
  /** As how many a list within a document counts at most; without, as many as it may have. */
  readonly mostHeld?: number
}

type Nodes = ReadonlyMap<string, PlanNode>

/** Rows, the answer that they are in, and how one gets there from the last place that was told of. */
interface Standing {
  readonly rows: Range
  readonly after: Question | undefined
  readonly path: string
}

export function placesOf(options: PlacesOptions, roots: Nodes): Place[] {
  return new Walk(options).below(roots, { rows: once, after: undefined, path: '' })
}

class Walk {
  readonly #options: PlacesOptions

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  below(nodes: Nodes, standing: Standing): Place[] {
    return [...nodes].flatMap(([name, node]) => this.#node(node, { ...standing, path: pathTo(standing.path, node, name) }))
  }

  #node(node: PlanNode, standing: Standing): Place[] {
    const { declaration: { model, prepared }, schema } = this.#options
    const field = fieldAt(model, node.coordinate)
    const found = field && prepared(field)
    if (found && !('value' in found)) return [this.#relation(node, field, found, standing)]
    if (node.coordinate.startsWith(`${schema.getQueryType()?.name}.`)) return this.#root(node, standing)
    // Whatever is in a document, or in the answer of a mutation, is there with it.
    return this.#inside(node, { ...standing, rows: field ? times(standing.rows, this.#held(heldIn(field))) : standing.rows })
  }

  #root(node: PlanNode, standing: Standing): Place[] {
    const { declaration, rootAsks: asksOf } = this.#options
    const found = asksOf ? asksOf(node, this.#window(node.coordinate, node)) : rootAsks(declaration, node.coordinate, this.#arguments(node), (scope) => this.#window(scope, node))
    if (!found) return this.#inside(node, standing)
    const { asks, listed, members } = found
    const narrowed = listed ? this.#options.known.listed(asks) : asks
    const children = members ? new Map([...node.children].filter(([name]) => members.has(name.split('.')[0]!))) : node.children
    return [this.#asking({ ...node, children }, narrowed, standing, listed ?? false)]
  }

  #relation(node: PlanNode, field: Field, relation: Relation, standing: Standing): Place {
    if (node.choice?.from === 'SNAPSHOT') return this.#asking(node, { stages: [], rows: this.#held(heldIn(field)) }, standing, false)
    const listed = field.shape === 'connection'
    if (listed) return this.#asking(node, relation.asks(this.#window(field.coordinate, node)), standing, true)
    const asks = node.choice?.fresh ? relation.asksFresh!() : relation.asks(everything)
    return this.#asking(node, { ...asks, rows: this.#held(asks.rows), stages: asks.stages.map((asked) => ({ ...asked, keys: this.#held(asked.keys) })) }, standing, false)
  }

  /** A list is read when something of a page is asked for, and counted when its length is. */
  #asking(node: PlanNode, { stages, rows, optional = false, count }: PlannedReads, standing: Standing, listed: boolean): Place {
    const { coordinate: field, choice } = node
    const selected = [...node.children.values()].map(({ coordinate }) => coordinate.split('.')[1]!)
    const paged = !listed || selected.some((name) => ['nodes', 'edges', 'pageInfo'].includes(name))
    const questions = paged ? inTurn(field, stages, standing, optional) : []
    const counted = listed ? selected.filter((name) => name === 'totalCount').length : 0
    const counting = count && counted > 0 ? inTurn(field, [count], standing, false, counted) : []
    const found = times(standing.rows, rows)
    const below = { rows: found, after: questions.at(-1) ?? standing.after, path: '' }
    return {
      field, written: node.written, choice, path: standing.path, holders: standing.rows, rows: paged ? found : upTo(0),
      questions: [...questions, ...counting], below: this.#inside(node, below),
    }
  }

  #held({ least, most }: Range): Range {
    const { mostHeld = Infinity } = this.#options
    return { least: Math.min(least, mostHeld), most: Math.min(most, mostHeld) }
  }

  /** What is selected below a place. A value that can have several types need not have any one of them. */
  #inside(node: PlanNode, standing: Standing): Place[] {
    const { schema } = this.#options
    const [typeName = '', name = ''] = node.coordinate.split('.')
    const parent = schema.getType(typeName)
    const field = parent && 'getFields' in parent ? parent.getFields()[name] : undefined
    const type = field && getNamedType(field.type)
    const several = isAbstractType(type) && schema.getPossibleTypes(type).length > 1
    return this.below(node.children, several ? { ...standing, rows: perhaps(standing.rows) } : standing)
  }

  #arguments(node: PlanNode): Record<string, unknown> {
    const { schema, variables } = this.#options
    const [typeName = '', name = ''] = node.coordinate.split('.')
    const type = schema.getType(typeName)
    const field = type && 'getFields' in type ? type.getFields()[name] : undefined
    return field ? getArgumentValues(field as Parameters<typeof getArgumentValues>[0], node.written[0]!, variables) : {}
  }

  #window(scope: string, node: PlanNode): Window {
    if (this.#options.window) return this.#options.window(scope, node)
    return { ...readWindow({ scope }, this.#arguments(node), this.#options.pageSizes, unread), peek: asksForMore(node) }
  }
}

function inTurn(field: string, stages: readonly PlannedRead[], { rows, after }: Standing, optional: boolean, repeated = 1): Question[] {
  const questions: Question[] = []
  for (const asked of stages) questions.push({ field, asked, holders: rows, after: questions.at(-1) ?? after, optional, repeated })
  return questions
}

/** How many values of a field are in its document. */
function heldIn({ shape, required, storage }: Field): Range {
  if (shape === 'one') return { least: Number(required), most: 1 }
  return upTo(('max' in storage ? storage.max : undefined) ?? 1)
}

/** Connections are passed through; what is inside a document is named on the way. */
function pathTo(above: string, { coordinate }: PlanNode, name: string): string {
  const [type = '', key = ''] = name.split('.')
  const passed = /(Connection|Edge)$/.test(type) && /\.(nodes|edges|node)$/.test(coordinate)
  return passed ? above : above === '' ? key : `${above}.${key}`
}

const everything: Window = { limit: Infinity, after: undefined, backwards: false, peek: false }

/** Only the gateway that wrote a cursor can read it. That pages behind different cursors are different is all that matters here. */
const unread: Cursors = {
  read: (_, cursor) => ({ value: cursor, id: cursor }),
  write: (_, { id }) => id,
}
