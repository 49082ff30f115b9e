// From an operation that has ended to what is recorded of it. The plan has the places, seen through
// fragments, aliases and conditions; the readLog has what was read for them. Only names of the schema are taken.

import type { Declaration } from '../../relations/declaration.ts'
import type { ReadLog } from '../../read/read-log.ts'
import { fieldAt } from '../../model/model.ts'
import type { Plan, PlanNode } from '../../plan/plan.ts'
import type { Relation } from '../../relations/kind.ts'
import { aFew, type RecordedPlace, type RecordedRelation } from './workload.ts'

export interface Recorded {
  readonly places: readonly RecordedPlace[]
  readonly relations: readonly (readonly [field: string, numbers: Partial<RecordedRelation>])[]
}

export function recordedOperation(declaration: Declaration, plan: Plan, readLog: ReadLog, naive: boolean): Recorded {
  return new Recording(declaration, plan, readLog, naive).recorded()
}

class Recording {
  readonly #declaration: Declaration
  readonly #plan: Plan
  readonly #naive: boolean
  /** What calls read, by the field they were for. */
  readonly #read: Shared
  readonly #found: Shared
  /** What copies stood in for, by the type it is of. */
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
    return { places: this.#places(this.#plan.roots), relations: this.#relations }
  }

  #places(nodes: ReadonlyMap<string, PlanNode>): RecordedPlace[] {
    return [...nodes.values()].map((node) => this.#place(node)).toSorted((one, other) => (one.field < other.field ? -1 : Number(one.field > other.field)))
  }

  #place(node: PlanNode): RecordedPlace {
    const { coordinate: field, written, choice, resolved, children } = node
    const given = [...new Set(written[0]?.arguments?.map(({ name }) => name.value) ?? [])].toSorted()
    const relation = choice && this.#relation(field)
    const copied = relation?.copied
    const beyond = copied ? [...new Set([...children.values()].map(({ coordinate }) => coordinate.split('.')[1]!))].filter((name) => !copied.has(name)) : []
    const forced = choice?.from === 'REFERENCE' && copied !== undefined && beyond.length === 0 && !this.#naive
    const covered = choice?.from === 'SNAPSHOT' ? resolved : 0
    const documents = covered > 0 ? this.#spared.of(node, fieldAt(this.#declaration.model, field)!.target) : this.#read.of(node, field)
    if (choice && resolved > 0) this.#relations.push([field, { resolved, covered, documents, beyond: Object.fromEntries(beyond.map((name) => [name, 1])) }])
    const below = this.#places(children)
    const many = Number(documents > aFew)
    // A pointer that leads nowhere asks for nothing.
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

/** Numbers that several places have together, dealt out by how much each of them resolved. */
class Shared {
  readonly #places: ReadonlyMap<string, readonly PlanNode[]>
  readonly #numbers: ReadonlyMap<string, number>

  constructor(places: ReadonlyMap<string, readonly PlanNode[]>, numbers: ReadonlyMap<string, number>) {
    this.#places = places
    this.#numbers = numbers
  }

  of(node: PlanNode, name: string): number {
    const sharing = this.#places.get(name) ?? []
    if (!sharing.includes(node)) return 0
    const all = sharing.reduce((sum, { resolved }) => sum + resolved, 0)
    const share = all === 0 ? 1 / sharing.length : node.resolved / all
    return (this.#numbers.get(name) ?? 0) * share
  }
}

/** Roots are there once, and are not counted. */
function takesPart(node: PlanNode, { roots }: Plan): boolean {
  return node.resolved > 0 || [...roots.values()].includes(node)
}

/** What calls of a kind came to, by field; where one served several, each has its part. */
function callsOf({ calls }: ReadLog, operation: 'read' | 'query', numberOf: (call: ReadLog['calls'][number]) => number): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const call of calls) {
    if (call.operation !== operation) continue
    for (const field of call.for) numbers.set(field, (numbers.get(field) ?? 0) + numberOf(call) / call.for.length)
  }
  return numbers
}

function sparedIn({ unread }: ReadLog): Map<string, number> {
  return new Map([...Map.groupBy(unread, ({ type }) => type.name)].map(([name, documents]) => [name, new Set(documents.map(({ id }) => id)).size]))
}
