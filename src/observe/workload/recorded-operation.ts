// What is recorded of an ended operation: the plan nodes (independent of fragments, aliases and conditions) and what the read
// log says was read for them. Only names of the schema are recorded.

import type { Declaration } from '../../relations/declaration.ts'
import type { ReadLog } from '../../read/read-log.ts'
import { fieldAt } from '../../model/model.ts'
import type { Plan, PlanNode } from '../../plan/plan.ts'
import type { Relation } from '../../relations/kind.ts'
import { aFew, type RecordedNode, type RecordedRelation } from './workload.ts'

export interface Recorded {
  readonly places: readonly RecordedNode[]
  readonly relations: readonly (readonly [field: string, numbers: Partial<RecordedRelation>])[]
}

export function recordedOperation(declaration: Declaration, plan: Plan, readLog: ReadLog, naive: boolean): Recorded {
  return new Recording(declaration, plan, readLog, naive).recorded()
}

class Recording {
  readonly #declaration: Declaration
  readonly #plan: Plan
  readonly #naive: boolean
  /** Keys read, by the field they were read for. */
  readonly #read: Shared
  /** Documents that queries found, by field. */
  readonly #found: Shared
  /** Documents that snapshots stood in for, by type. */
  readonly #spared: Shared
  readonly #relations: [string, Partial<RecordedRelation>][] = []

  constructor(declaration: Declaration, plan: Plan, readLog: ReadLog, naive: boolean) {
    this.#declaration = declaration
    this.#plan = plan
    this.#naive = naive
    const nodes = [...plan.all()].filter((node) => takesPart(node, plan))
    const byField = Map.groupBy(nodes, ({ coordinate }) => coordinate)
    const copies = nodes.filter(({ choice }) => choice?.from === 'SNAPSHOT')
    this.#read = new Shared(byField, callsOf(readLog, 'read', ({ keys }) => keys))
    this.#found = new Shared(byField, callsOf(readLog, 'query', ({ documents }) => documents))
    this.#spared = new Shared(Map.groupBy(copies, ({ coordinate }) => fieldAt(declaration.model, coordinate)!.target), sparedIn(readLog))
  }

  recorded(): Recorded {
    return { places: this.#recordedNodes(this.#plan.roots), relations: this.#relations }
  }

  #recordedNodes(nodes: ReadonlyMap<string, PlanNode>): RecordedNode[] {
    return [...nodes.values()].map((node) => this.#recordedNode(node)).toSorted((one, other) => (one.field < other.field ? -1 : Number(one.field > other.field)))
  }

  #recordedNode(node: PlanNode): RecordedNode {
    const { coordinate: field, written, choice, resolved, children } = node
    const given = [...new Set(written[0]?.arguments?.map(({ name }) => name.value) ?? [])].toSorted()
    const relation = choice && this.#relation(field)
    const copied = relation?.copied
    const beyond = copied ? [...new Set([...children.values()].map(({ coordinate }) => coordinate.split('.')[1]!))].filter((name) => !copied.has(name)) : []
    const forced = choice?.from === 'REFERENCE' && copied !== undefined && beyond.length === 0 && !this.#naive
    const covered = choice?.from === 'SNAPSHOT' ? resolved : 0
    const documents = covered > 0 ? this.#spared.of(node, fieldAt(this.#declaration.model, field)!.target) : this.#read.of(node, field)
    if (choice && resolved > 0) this.#relations.push([field, { resolved, covered, documents, beyond: Object.fromEntries(beyond.map((name) => [name, 1])) }])
    const below = this.#recordedNodes(children)
    const many = Number(documents > aFew)
    // A reference that is null reads nothing.
    const asked = Number(resolved > 0 && (!copied || copied.size === 0 || documents > 0))
    const numbers = { asked, resolved, covered, documents, many, manyDocuments: many * documents, rows: this.#found.of(node, field) }
    return {
      field,
      ...(given.length > 0 ? { given } : {}),
      ...(forced ? { forced } : {}),
      ...Object.fromEntries(Object.entries(numbers).filter(([, number]) => number > 0)),
      ...(below.length > 0 ? { below } : {}),
    }
  }

  #relation(coordinate: string): Relation {
    return this.#declaration.prepared(fieldAt(this.#declaration.model, coordinate)!) as Relation
  }
}

/** Numbers that several plan nodes share, divided among them by how many rows each resolved. */
class Shared {
  readonly #nodes: ReadonlyMap<string, readonly PlanNode[]>
  readonly #numbers: ReadonlyMap<string, number>

  constructor(nodes: ReadonlyMap<string, readonly PlanNode[]>, numbers: ReadonlyMap<string, number>) {
    this.#nodes = nodes
    this.#numbers = numbers
  }

  of(node: PlanNode, name: string): number {
    const sharing = this.#nodes.get(name) ?? []
    if (!sharing.includes(node)) return 0
    const all = sharing.reduce((sum, { resolved }) => sum + resolved, 0)
    const share = all === 0 ? 1 / sharing.length : node.resolved / all
    return (this.#numbers.get(name) ?? 0) * share
  }
}

/** Root fields are not counted, but always take part. */
function takesPart(node: PlanNode, { roots }: Plan): boolean {
  return node.resolved > 0 || [...roots.values()].includes(node)
}

/** A number of each call of one operation, summed by field; fields that share a call get equal parts. */
function callsOf({ calls }: ReadLog, operation: 'read' | 'query', numberOf: (call: ReadLog['calls'][number]) => number): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const call of calls) {
    if (call.operation !== operation) continue
    for (const field of call.for) numbers.set(field, (numbers.get(field) ?? 0) + numberOf(call) / call.for.length)
  }
  return numbers
}

function sparedIn({ unread }: ReadLog): Map<string, number> {
  return new Map([...unread].map(([{ name }, documents]) => [name, documents.size]))
}
