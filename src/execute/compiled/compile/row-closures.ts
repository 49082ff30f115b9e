// Writes rows without generating code, for a query that may never be asked again: functions that exist already, and that V8
// has optimized, are put together along its plan. A row takes longer than with row-code.ts, the first row far less, and
// nothing is cached beyond the run.

import { getNamedType, isLeafType, isListType, isNonNullType, isObjectType, type GraphQLAbstractType, type GraphQLObjectType, type GraphQLOutputType } from 'graphql'
import { quoted } from '../../../model/json/quote-json.ts'
import type { PlanNode } from '../../../plan/plan.ts'
import type { StoredDocument } from '../../../store/store.ts'
import { Growth } from '../../answer/answer-too-large.ts'
import { argumentsOf } from '../../arguments/variables.ts'
import { textOfDocuments } from '../field-writer.ts'
import { giveUp } from '../json-writer.ts'
import { leafText } from '../leaf-text.ts'
import { beginCounting, endCounting, showRow, textsOf, type Counts } from '../row-cache.ts'
import { count, type Run } from '../run.ts'
import { fieldAt, isContained, isInlineField, nodesOf, type CompileContext, type PlanNodes } from './inline-fields.ts'
import type { RowWriters, WriteValue } from './row-code.ts'
import { bodyIn, nullable, propertyOf, shapeOf, typeOf, valueIn, type Form, type ValueStep } from './row-values.ts'

export const rowClosures: RowWriters = {
  level(context, type, nodes, form) {
    const rows = new RowClosures({ ...context, targets: undefined }, 0)
    const { parts, end } = rows.parts(type, nodes, form, () => undefined)
    const write = (values: readonly unknown[], run: Run, columns: readonly (readonly string[])[], weights: readonly number[] | undefined) => values.map((row, at) => {
      if (run.counts !== undefined) run.weight = weights === undefined ? 1 : weights[at]!
      let text = ''
      let column = 0
      for (const part of parts) text += part.before + (part.write ? part.write(row, run) : columns[column++]![at]!)
      return text + end
    })
    return { write, columns: parts.filter((part) => !part.write).map(({ name, node }) => [name, node]) }
  },
  row: (context, type, nodes, form, depth, node) => new RowClosures(context, depth).row(type, nodes, form, node),
  value: (context, type, node, form, depth) => new RowClosures(context, depth).value(type, node, form),
}

/** One field of a row. */
interface Part {
  readonly name: string
  readonly node: PlanNode
  /** The text before its value. */
  readonly before: string
  /** Undefined for a field that comes in as a column. */
  readonly write: WriteValue | undefined
}

class RowClosures {
  readonly #context: CompileContext
  /** For what can be written without a lookup. */
  readonly #withoutLookups: CompileContext
  /** How many waves below the root the rows are. */
  #depth: number

  constructor(context: CompileContext, depth: number) {
    this.#context = context
    this.#withoutLookups = { ...context, targets: undefined }
    this.#depth = depth
  }

  /** The fields of a row; `other` writes those that take more than the row. */
  parts(type: GraphQLObjectType, nodes: PlanNodes, form: Form, other: (node: PlanNode) => WriteValue | undefined): { readonly parts: readonly Part[]; readonly end: string } {
    const selected = nodesOf(type, nodes)
    const parts = selected.map(([name, node], at) => ({
      name, node,
      before: `${at === 0 ? '{' : ','}${quoted(name.slice(name.indexOf('.') + 1))}:`,
      write: isInlineField(this.#withoutLookups, type, node) ? this.#field(type, node, form) : other(node),
    }))
    return { parts, end: parts.length === 0 ? '{}' : '}' }
  }

  /** `target` is the number of the lookup that finds the row, if one does. */
  row(type: GraphQLObjectType, nodes: PlanNodes, form: Form, shownBy: PlanNode | undefined, target?: number): WriteValue {
    let looksUp = target !== undefined
    const { parts, end } = this.parts(type, nodes, form, (node) => {
      looksUp = true
      return this.#pointing(type, node, form)
    })
    const write: WriteValue = (row, run) => {
      let text = ''
      for (const part of parts) text += part.before + part.write!(row, run)
      return text + end
    }
    return looksUp && form === 'own' && this.#context.steps.documents.has(type.name) ? onceEachRun(write, shownBy, new Growth(shownBy, this.#context.limits.bytes), target) as WriteValue : write
  }

  value(type: GraphQLOutputType, node: PlanNode, form: Form): WriteValue {
    const required = isNonNullType(type)
    const inner = nullable(type)
    if (isLeafType(inner)) return leafText(inner, required)
    const write = isListType(inner) ? this.#list(inner.ofType, node, form) : this.#object(inner as GraphQLObjectType | GraphQLAbstractType, node, form)
    if (form === 'own' && !isListType(inner) && isContained(this.#context, inner)) {
      return (value, run) => (value !== null && value !== undefined ? (typeof value === 'object' && !Array.isArray(value) ? write(value, run) : giveUp()) : required ? giveUp() : 'null')
    }
    return (value, run) => (value !== null && value !== undefined ? write(value, run) : required ? giveUp() : 'null')
  }

  #field(parent: GraphQLObjectType, node: PlanNode, form: Form): WriteValue {
    const field = fieldAt(parent, node)
    if (!field) return always(quoted(parent.name))
    const step = this.#context.steps.at(node)
    const below: Form = step && 'copies' in step ? 'copy' : form === 'any' && !step ? 'any' : 'own'
    const valueOf = this.#valueOf(parent, node, form)
    const write = this.value(field.type, node, below)
    if (!node.choice) return (row, run) => write(valueOf(row), run)
    const countRow = this.#counter(node)
    return (row, run) => {
      countRow(run)
      return write(valueOf(row), run)
    }
  }

  #valueOf(parent: GraphQLObjectType, node: PlanNode, form: Form): (row: unknown) => unknown {
    const { steps } = this.#context
    const { name, type } = fieldAt(parent, node)!
    const step = steps.at(node)
    if (!step) return (row) => propertyOf(row as Record<string, unknown>, name)
    if ('property' in step && form === 'copy') return (row) => (row as Record<string, unknown>)[name]
    return valueIn(step as ValueStep, steps, node, parent.name, isListType(nullable(type)), form) as (row: unknown) => unknown
  }

  /** A field with a lookup, its own or one below it. */
  #pointing(parent: GraphQLObjectType, node: PlanNode, form: Form): WriteValue {
    const { steps, targets } = this.#context
    const [field, step] = [fieldAt(parent, node)!, steps.at(node)]
    if (!step || !('lookUpAll' in step || 'byId' in step)) return this.#field(parent, node, form)
    this.#depth++
    const target = targets!.add('byId' in step ? step.byId : step.points!.target, this.#depth)
    const below = this.row(getNamedType(field.type) as GraphQLObjectType, node.children, 'own', node, target)
    this.#depth--
    const idsOf = 'byId' in step ? idArgument(argumentsOf(field, node.written[0]!)) : pointedAt(step.points!.ids, bodyIn(steps, parent.name, form))
    const shape = shapeOf(field.type, node, this.#context.limits)
    const countRow = this.#counter(node)
    const textById = (id: string, run: Run): string | undefined => {
      const row = run.lookups[target]!(id)
      if (row !== undefined) return below(row, run)
      run.tallies?.[target]!.missing(id)
      return undefined
    }
    return (row, run) => {
      const ids = idsOf(row, run)
      countRow(run)
      return textOfDocuments(textsOf(ids, textById, run, target), shape)
    }
  }

  /** Counts a row of a relation, where an observer wants to know. */
  #counter(node: PlanNode): (run: Run) => void {
    const { targets } = this.#context
    if (!node.choice) return () => {}
    if (!targets) return (run) => count(run, node)
    const number = targets.counterOf(node)
    return (run) => {
      if (run.counting !== undefined) run.counting[number]! += run.weight
    }
  }

  #list(element: GraphQLOutputType, node: PlanNode, form: Form): WriteValue {
    const write = this.value(element, node, form)
    return (list, run) => {
      if (!Array.isArray(list)) giveUp()
      let text = '['
      for (let at = 0; at < list.length; at++) text += (at > 0 ? ',' : '') + write(list[at], run)
      return `${text}]`
    }
  }

  #object(type: GraphQLObjectType | GraphQLAbstractType, node: PlanNode, form: Form): WriteValue {
    if (isObjectType(type)) return this.row(type, node.children, form, node)
    const writers = new Map(this.#context.schema.getPossibleTypes(type).map((possible) => [possible.name, this.row(possible, node.children, form, node)]))
    const nameOf = typeOf(type)
    return (row, run) => (writers.get(nameOf(row, run)) ?? giveUp)(row, run)
  }
}

/** Writes a document once in a run, however many rows show it: a document that is looked up counts once. */
function onceEachRun(write: WriteValue, shownBy: PlanNode | undefined, growth: Growth, target: number | undefined): (row: StoredDocument, run: Run) => string {
  let written = new Map<StoredDocument, { readonly text: string; readonly shown: Counts | undefined; readonly rows: number }>()
  let runNumber = 0
  return (row, run) => {
    if (runNumber !== run.number) {
      written = new Map()
      runNumber = run.number
    }
    let known = written.get(row)
    if (!known) {
      if (target !== undefined) run.tallies?.[target]!.found(row)
      const { counting, weight, rows } = run
      const shown = beginCounting(run)
      run.rows = target === undefined ? 0 : 1
      const text = growth.add(write(row, run), run)
      written.set(row, (known = { text, shown, rows: run.rows }))
      run.rows = rows
      endCounting(run, counting, weight)
    }
    return showRow(run, known, shownBy)
  }
}

function always(text: string): WriteValue {
  return () => text
}

function idArgument(argumentsFrom: (variables: Record<string, unknown>) => Record<string, unknown>) {
  return (_: unknown, { variables }: Run): readonly string[] => [argumentsFrom(variables)['id'] as string]
}

function pointedAt<Body>(ids: (body: Body) => readonly string[], bodyOf: (row: never) => Body) {
  return (row: unknown): readonly string[] => ids(bodyOf(row as never))
}
