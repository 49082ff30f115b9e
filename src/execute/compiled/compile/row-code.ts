// The code that writes rows: one expression for all fields that can be written from a row alone. Other fields come in as
// columns, an array with one text for each row. Where the store has its documents in this process, the code looks up those
// that a row points at.

import { getNamedType, isLeafType, isListType, isNonNullType, isObjectType, type GraphQLAbstractType, type GraphQLField, type GraphQLObjectType, type GraphQLOutputType } from 'graphql'
import { quoted } from '../../../model/json/quote-json.ts'
import type { PlanNode } from '../../../plan/plan.ts'
import { textOfDocuments, type WriteLevel } from '../field-writer.ts'
import { giveUp } from '../json-writer.ts'
import { leafText } from '../leaf-text.ts'
import { areUnchanged, beginCounting, endCounting, PointingRow, showRow, textsOf, updateRow, type Pieces, type RowCaches } from '../row-cache.ts'
import { addRows, count, type Run } from '../run.ts'
import { Code } from './code.ts'
import { fieldAt, isContained, isInlineField, nodesOf, type CompileContext, type PlanNodes } from './inline-fields.ts'
import { nullable, propertyOf, shapeOf, typeOf, valueIn, type Form, type ValueStep } from './row-values.ts'
import { Growth } from '../../answer/answer-too-large.ts'
import { argumentsOf } from '../../arguments/variables.ts'
import type { Step } from './steps.ts'

export type WriteValue = (value: unknown, run: Run) => string

/** What writes rows: generated code, or closures (row-closures.ts). */
export interface RowWriters {
  /** All rows of a level, and the fields that it takes as columns, in their order. */
  readonly level: (context: CompileContext, type: GraphQLObjectType, nodes: PlanNodes, form: Form) => { readonly write: WriteLevel; readonly columns: readonly [string, PlanNode][] }
  /** One row of a level without columns, `depth` waves below the root, shown by this node. */
  readonly row: (context: CompileContext, type: GraphQLObjectType, nodes: PlanNodes, form: Form, depth: number, shownBy: PlanNode | undefined) => WriteValue
  /** A value that can be written by itself. */
  readonly value: (context: CompileContext, type: GraphQLOutputType, node: PlanNode, form: Form, depth: number) => WriteValue
}

export const rowCode: RowWriters = { level: levelCode, row: codeOfRow, value: codeOfValue }

function levelCode(context: CompileContext, type: GraphQLObjectType, nodes: PlanNodes, form: Form): { write: WriteLevel; columns: [string, PlanNode][] } {
  // If one field takes more than a lookup, all documents that the row points at come in as columns.
  const rows = new RowCode({ ...context, targets: undefined }, 0)
  const { pieces, columns } = rows.pieces(type, nodes, form)
  const put = (piece: (at: number) => string) => pieces.map((_, at) => (at === 0 ? piece(0) : `columns[${at - 1}][at] + ${piece(at)}`)).join(' + ')
  const cache = rows.cache(type, form)
  const fromCache = cache ? `
      if (run.counts === undefined) {
        let pieces = ${cache.cached}.get(row)
        if (pieces === undefined) pieces = ${cache.add}(row, [${pieces.join(', ')}])
        texts[at] = ${put((at) => `pieces[${at}]`)}
        continue
      }` : ''
  const write = rows.code.define('rows, run, columns, weights', `
    const texts = new Array(rows.length)
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]${fromCache}
      if (run.counts !== undefined) run.weight = weights === undefined ? 1 : weights[at]
      texts[at] = ${put((at) => pieces[at]!)}
    }
    return texts`)
  return { columns, write: rows.code.link(write) as WriteLevel }
}

function codeOfRow(context: CompileContext, type: GraphQLObjectType, nodes: PlanNodes, form: Form, depth: number, shownBy: PlanNode | undefined): WriteValue {
  const rows = new RowCode(context, depth)
  return rows.code.link(rows.row(type, nodes, form, '', shownBy)) as WriteValue
}

function codeOfValue(context: CompileContext, type: GraphQLOutputType, node: PlanNode, form: Form, depth: number): WriteValue {
  const rows = new RowCode(context, depth)
  return rows.code.link(rows.code.define('value, run', `return ${rows.value(type, node, form, 'value')}`)) as WriteValue
}

class RowCode {
  readonly code = new Code()
  readonly #context: CompileContext
  /** For what can be written without a lookup. */
  readonly #withoutLookups: CompileContext
  /** How many waves below the root the rows are that code is being made for. */
  #depth: number

  constructor(context: CompileContext, depth: number) {
    this.#context = context
    this.#depth = depth
    this.#withoutLookups = { ...context, targets: undefined }
  }

  /** The names of the cache for rows of a node, if they are documents. */
  cache(type: GraphQLObjectType, form: Form): { readonly cached: string; readonly add: string } | undefined {
    const cache = this.#caches(type, form)?.create((pieces: Pieces) => pieces)
    return cache && { cached: this.code.bind(cache.cached), add: this.code.bind(cache.add) }
  }

  #caches(type: GraphQLObjectType, form: Form): RowCaches | undefined {
    const { steps, rowCaches } = this.#context
    return form === 'own' && steps.documents.has(type.name) ? rowCaches : undefined
  }

  /** The text of `row` in pieces; between them come the fields that take more than the row. */
  pieces(type: GraphQLObjectType, nodes: PlanNodes, form: Form): { readonly pieces: string[]; readonly columns: [string, PlanNode][] } {
    const [pieces, columns]: [string[][], [string, PlanNode][]] = [[[]], []]
    for (const [at, [name, node]] of nodesOf(type, nodes).entries()) {
      pieces.at(-1)!.push(JSON.stringify(`${at === 0 ? '{' : ','}${quoted(name.split('.')[1]!)}:`))
      if (isInlineField(this.#withoutLookups, type, node)) {
        pieces.at(-1)!.push(this.#field(type, node, form))
      } else {
        columns.push([name, node])
        pieces.push([])
      }
    }
    pieces.at(-1)!.push(nodesOf(type, nodes).length === 0 ? '"{}"' : '"}"')
    return { pieces: pieces.map((parts) => parts.join(' + ')), columns }
  }

  /** A function that writes a row, from the cache unless rows are counted. `target` is the number of the lookup that finds it, if one does. */
  row(type: GraphQLObjectType, nodes: PlanNodes, form: Form, check: string, shownBy: PlanNode | undefined, target?: number): string {
    const { pieces, columns } = this.pieces(type, nodes, form)
    // Where rows' code looks documents up, a cached row knows how many rows of each relation it shows.
    if (columns.length > 0 || target !== undefined || (this.#context.targets && this.#caches(type, form))) return this.#pointingRow(type, form, check, pieces, columns.map(([, node]) => this.#gap(type, node, form)), shownBy, target)
    const [text] = pieces
    const cache = this.cache(type, form)
    return this.code.define('row, run', cache ? `${check}
      if (run.counts !== undefined) return ${text}
      const pieces = ${cache.cached}.get(row)
      return (pieces === undefined ? ${cache.add}(row, [${text}]) : pieces)[0]` : `${check} return ${text}`)
  }

  /** A function that writes a row with gaps; what belongs into its gaps is looked up in every run. */
  #pointingRow(type: GraphQLObjectType, form: Form, check: string, pieces: readonly string[], gaps: readonly Gap[], shownBy: PlanNode | undefined, target: number | undefined): string {
    const growth = this.code.bind(new Growth(shownBy, this.#context.limits.bytes))
    const tally = target === undefined ? '' : `if (run.tallies !== undefined) run.tallies[${target}].found(row)`
    const cache = this.#caches(type, form)?.create((row: PointingRow) => row.pieces)
    if (!cache) {
      const text = pieces.map((piece, at) => (at === 0 ? piece : `${gaps[at - 1]!.text(gaps[at - 1]!.texts(gaps[at - 1]!.ids))} + ${piece}`)).join(' + ')
      const counts = target === undefined ? '' : `${this.code.bind(addRows)}(run, 1, ${this.code.bind(shownBy)})`
      return this.code.define('row, run', `${check} ${tally}\n ${counts}\n return ${growth}.add(${text}, run)`)
    }
    const [cached, add, PointingRowClass] = [cache.cached, cache.add, PointingRow].map((each) => this.code.bind(each))
    const shown = this.code.bind(shownBy)
    const text = pieces.map((_, at) => (at === 0 ? 'known.pieces[0]' : `${gaps[at - 1]!.text(`gaps[${at - 1}]`)} + known.pieces[${at}]`)).join(' + ')
    const [updateName, cacheName, beginName, endName, showName] = [updateRow, cache, beginCounting, endCounting, showRow].map((each) => this.code.bind(each))
    return this.code.define('row, run', `${check}
      let known = ${cached}.get(row)
      const counting = run.counting
      const weight = run.weight
      const rows = run.rows
      if (known === undefined || (run.zeros !== undefined && known.own === undefined)) {
        const own = ${beginName}(run)
        known = ${add}(row, new ${PointingRowClass}([${pieces.join(', ')}], [${gaps.map(({ ids }) => ids).join(', ')}], own))
      } else if (known.run === run.number) return ${showName}(run, known, ${shown})
      ${tally}
      run.counting = undefined
      if (${['known.text === undefined', '(run.zeros !== undefined && known.shown === undefined)', ...gaps.map((gap, at) => `!${gap.isUnchanged(`known.ids[${at}]`, `known.gaps[${at}]`)}`)].join(' || ')}) {
        const below = ${beginName}(run)
        run.rows = ${target === undefined ? 0 : 1}
        const gaps = [${gaps.map((gap, at) => gap.texts(`known.ids[${at}]`)).join(', ')}]
        ${updateName}(${cacheName}, known, gaps, ${text}, below, run, ${growth})
        known.rows = run.rows
      }
      known.run = run.number
      run.rows = rows
      ${endName}(run, counting, weight)
      return ${showName}(run, known, ${shown})`)
  }

  #gap(parent: GraphQLObjectType, node: PlanNode, form: Form): Gap {
    const { steps, targets } = this.#context
    const [field, step] = [fieldAt(parent, node)!, steps.at(node)]
    if (!step || !('lookUpAll' in step || 'byId' in step)) {
      const text = this.#field(parent, node, form)
      return { ids: 'undefined', isUnchanged: (_, texts) => `(${text} === ${texts}[0])`, texts: () => `[${text}]`, text: (texts) => `${texts}[0]` }
    }
    const target = 'byId' in step ? step.byId : step.points!.target
    this.#depth++
    const number = targets!.add(target, this.#depth)
    const below = this.row(getNamedType(field.type) as GraphQLObjectType, node.children, 'own', '', node, number)
    this.#depth--
    const textById = this.code.define('id, run', `
      const row = run.lookups[${number}](id)
      if (row !== undefined) return ${below}(row, run)
      if (run.tallies !== undefined) run.tallies[${number}].missing(id)
      return undefined`)
    const shape = this.code.bind(shapeOf(field.type, node, this.#context.limits))
    const row = steps.documents.has(parent.name) && form !== 'copy' ? 'row.body' : 'row'
    return {
      ids: 'byId' in step ? `[${this.code.bind(argumentsOf(field, node.written[0]!))}(run.variables).id]` : `${this.code.bind(step.points!.ids)}(${row})`,
      isUnchanged: (given, texts) => `${this.code.bind(areUnchanged)}(${given}, ${texts}, ${textById}, run, ${number})`,
      texts: (given) => `(${this.#counts(node)}, ${this.code.bind(textsOf)}(${given}, ${textById}, run, ${number}))`,
      text: (texts) => `${this.code.bind(textOfDocuments)}(${texts}, ${shape})`,
    }
  }

  value(type: GraphQLOutputType, node: PlanNode, form: Form, value: string): string {
    const required = isNonNullType(type)
    const inner = required ? type.ofType : type
    if (isLeafType(inner)) return `${this.code.bind(leafText(inner, required))}(${value})`
    const nothing = required ? `${this.code.bind(giveUp)}()` : `'null'`
    return `${isListType(inner) ? this.#list(inner.ofType, node, form, nothing) : this.#objects(inner, node, form, nothing)}(${value}, run)`
  }

  #field(parent: GraphQLObjectType, node: PlanNode, form: Form): string {
    const field = fieldAt(parent, node)
    if (!field) return JSON.stringify(quoted(parent.name))
    const step = this.#context.steps.at(node)
    const below: Form = step && 'copies' in step ? 'copy' : form === 'any' && !step ? 'any' : 'own'
    const text = this.value(field.type, node, below, this.#valueOf(parent, field, step, node, form))
    return node.choice ? `(${this.#counts(node)}, ${text})` : text
  }

  /** Counts a row of a relation, where an observer wants to know. */
  #counts(node: PlanNode): string {
    const { targets } = this.#context
    if (!node.choice) return '0'
    return targets ? `run.counting === undefined || (run.counting[${targets.counterOf(node)}] += run.weight)` : `run.counts === undefined || ${this.code.bind(count)}(run, ${this.code.bind(node)})`
  }

  /** The value of a field of `row`. */
  #valueOf({ name: parent }: GraphQLObjectType, field: GraphQLField<unknown, unknown>, step: Step | undefined, node: PlanNode, form: Form): string {
    const { steps } = this.#context
    if (!step) return `${this.code.bind(propertyOf)}(row, ${JSON.stringify(field.name)})`
    if ('property' in step && form !== 'any') {
      return form === 'copy' ? `row[${JSON.stringify(field.name)}]` : `${steps.documents.has(parent) ? 'row.body' : 'row'}[${JSON.stringify(step.property)}]`
    }
    return `${this.code.bind(valueIn(step as ValueStep, steps, node, parent, isListType(nullable(field.type)), form))}(row)`
  }

  #list(element: GraphQLOutputType, node: PlanNode, form: Form, nothing: string): string {
    return this.code.define('list, run', `
      if (list === null || list === undefined) return ${nothing}
      if (!Array.isArray(list)) ${this.code.bind(giveUp)}()
      let text = '['
      for (let at = 0; at < list.length; at++) text += (at > 0 ? ',' : '') + ${this.value(element, node, form, 'list[at]')}
      return text + ']'`)
  }

  #objects(type: GraphQLObjectType | GraphQLAbstractType, node: PlanNode, form: Form, nothing: string): string {
    const check = `if (row === null || row === undefined) return ${nothing}; ${form === 'own' && isContained(this.#context, type) ? `if (typeof row !== 'object' || Array.isArray(row)) ${this.code.bind(giveUp)}();` : ''}`
    if (isObjectType(type)) return this.row(type, node.children, form, check, node)
    const cases = this.#context.schema.getPossibleTypes(type).map((possible) => `case ${JSON.stringify(possible.name)}: return ${this.row(possible, node.children, form, '', node)}(row, run)`)
    return this.code.define('row, run', `${check} switch (${this.code.bind(typeOf(type))}(row, run)) { ${cases.join('; ')} } ${this.code.bind(giveUp)}()`)
  }
}

/** What stands between two pieces of a row, as code. */
interface Gap {
  /** The ids of its documents, given `row`. */
  readonly ids: string
  /** The texts of these documents. */
  readonly texts: (ids: string) => string
  /** Whether they are still these texts. */
  readonly isUnchanged: (ids: string, texts: string) => string
  readonly text: (texts: string) => string
}
