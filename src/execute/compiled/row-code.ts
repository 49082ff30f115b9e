// The code that writes rows: one expression for all that can be had from a row alone. What takes more comes
// in as columns, an array of texts each, one for every row; or is looked for on the way, where that can be done.

import {
  getNamedType, isLeafType, isListType, isNonNullType, isObjectType,
  type GraphQLAbstractType, type GraphQLField, type GraphQLObjectType, type GraphQLOutputType, type GraphQLSchema,
} from 'graphql'
import { quoted } from '../../model/json/quote-json.ts'
import type { PlanNode } from '../../plan/plan.ts'
import { Copy } from '../../relations/kind.ts'
import type { Body } from '../../model/json/json.ts'
import type { StoredDocument } from '../../store/store.ts'
import { Code } from './code.ts'
import { GiveUp } from './give-up.ts'
import { leafText } from './leaf-text.ts'
import { textOfParts, type Shape } from './parts.ts'
import { areAsBefore, partsOf, PointingRow, renew, type Looks } from './inlined-references.ts'
import type { Pieces, RowTexts } from './row-cache.ts'
import { count, type Run, type Times } from './run.ts'
import type { Step, Steps } from './steps.ts'

/**
 * What rows are at a place: `own` are those that Quire's own resolvers hand on, documents and the bodies of
 * what is contained; `copy` the bodies of copies; `anything` is for rows that others hand on.
 */
export type Form = 'own' | 'copy' | 'anything'

export type Places = ReadonlyMap<string, PlanNode>

export interface Vocabulary {
  readonly steps: Steps
  readonly schema: GraphQLSchema
  readonly rowTexts: RowTexts | undefined
  /** Where documents that a row points at are looked for while it is written; without it they are gathered for all rows of a level. */
  readonly looks: Looks | undefined
}

export type WriteLevel = (rows: readonly unknown[], run: Run, columns: readonly (readonly string[])[], times: Times) => string[]
export type WriteValue = (value: unknown, run: Run) => string

/** Code for all rows of a level, and the fields that it wants as columns, in their order. */
export function levelCode(vocabulary: Vocabulary, type: GraphQLObjectType, places: Places, form: Form): { write: WriteLevel; deep: [string, PlanNode][] } {
  const rows = new RowCode(vocabulary)
  const { pieces, deep } = rows.pieces(type, places, form)
  const put = (piece: (at: number) => string) => pieces.map((_, at) => (at === 0 ? piece(0) : `columns[${at - 1}][at] + ${piece(at)}`)).join(' + ')
  const remembered = rows.remembered(type, form)
  const fromMemory = remembered ? `
      if (run.counts === undefined) {
        let known = ${remembered.known}.get(row)
        if (known === undefined) known = ${remembered.remember}(row, [${pieces.join(', ')}])
        texts[at] = ${put((at) => `known[${at}]`)}
        continue
      }` : ''
  const write = rows.code.define('rows, run, columns, times', `
    const texts = new Array(rows.length)
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]${fromMemory}
      if (run.counts !== undefined) run.weight = times === undefined ? 1 : times[at]
      texts[at] = ${put((at) => pieces[at]!)}
    }
    return texts`)
  return { deep, write: rows.code.link(write) as WriteLevel }
}

/** Code for one row of a level that wants no columns. */
export function rowCode(vocabulary: Vocabulary, type: GraphQLObjectType, places: Places, form: Form): WriteValue {
  const rows = new RowCode(vocabulary)
  return rows.code.link(rows.row(type, places, form, '')) as WriteValue
}

/** Code for a value of an inline place. */
export function valueCode(vocabulary: Vocabulary, type: GraphQLOutputType, place: PlanNode, form: Form): WriteValue {
  const rows = new RowCode(vocabulary)
  return rows.code.link(rows.code.define('value, run', `return ${rows.value(type, place, form, 'value')}`)) as WriteValue
}

/** Whether what is asked for below a place can be had from its value alone. */
export function isInline(vocabulary: Vocabulary, type: GraphQLOutputType, place: PlanNode): boolean {
  if (isListType(type) || isNonNullType(type)) return isInline(vocabulary, type.ofType, place)
  if (isLeafType(type)) return true
  const possible = isObjectType(type) ? [type] : vocabulary.schema.getPossibleTypes(type)
  return possible.every((each) => isInlineRow(vocabulary, each, place.children))
}

/** Whether all that is asked of a row can be had from it. */
export function isInlineRow(vocabulary: Vocabulary, type: GraphQLObjectType, places: Places): boolean {
  return fieldsOf(type, places).every(([, place]) => isInlineField(vocabulary, type, place))
}

/** Whether what is asked for at a place can be had from the row that it is a field of. */
export function isInlineField(vocabulary: Vocabulary, parent: GraphQLObjectType, place: PlanNode): boolean {
  const field = fieldAt(parent, place)
  if (!field) return true
  const step = vocabulary.steps.at(place)
  if (step && 'gather' in step) return vocabulary.looks !== undefined && step.points !== undefined && isInline(vocabulary, field.type, place)
  return (step !== undefined || !field.resolve) && isInline(vocabulary, field.type, place)
}

/** What the value of a field is, for code that is not part of a row's. */
export function valueIn(step: Exclude<Step, { gather: unknown }>, { steps }: Vocabulary, { coordinate, written }: PlanNode, parent: string, list: boolean, form: Form): (row: never) => unknown {
  const [name, plain] = [written[0]!.name.value, steps.plain.get(coordinate)]
  if (form === 'copy' && steps.documents.has(parent)) return (row: Body) => ('plain' in step ? plain!(new Copy(row) as never) : row[name])
  if ('plain' in step || (form === 'anything' && plain)) return plain!
  const bodyOf = bodyIn(steps, parent, form)
  if ('property' in step) return (row) => bodyOf(row)[step.property]
  if ('value' in step) return (row) => step.value(bodyOf(row))
  return (row) => (list ? step.copies(bodyOf(row)) : step.copies(bodyOf(row))[0] ?? null)
}

/** The body of a row of that type. */
export function bodyIn({ documents }: Steps, type: string, form: Form): (row: never) => Body {
  return documents.has(type) && form !== 'copy' ? (row: StoredDocument | Copy) => row.body : (row: Body) => row
}

/** Says which of its types a value has. */
export function typeOf(type: GraphQLAbstractType): (value: unknown, run: Run) => string {
  return (value, { context }) => {
    const name = type.resolveType?.(value, context, undefined as never, type)
    if (typeof name !== 'string') throw new GiveUp('a value does not say of which type it is')
    return name
  }
}

class RowCode {
  readonly code = new Code()
  readonly #vocabulary: Vocabulary
  /** What can be had from a row alone. */
  readonly #fromRow: Vocabulary

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
    this.#fromRow = { ...vocabulary, looks: undefined }
  }

  /** Where rows of a place are remembered, if they are documents. */
  remembered(type: GraphQLObjectType, form: Form): { readonly known: string; readonly remember: string } | undefined {
    const memory = this.#memory(type, form)?.place((pieces: Pieces) => pieces)
    return memory && { known: this.code.bind(memory.known), remember: this.code.bind(memory.remember) }
  }

  #memory(type: GraphQLObjectType, form: Form): RowTexts | undefined {
    const { steps, rowTexts } = this.#vocabulary
    return form === 'own' && steps.documents.has(type.name) ? rowTexts : undefined
  }

  /** The text of `row` in pieces: between them come the fields that take more than the row. */
  pieces(type: GraphQLObjectType, places: Places, form: Form): { readonly pieces: string[]; readonly deep: [string, PlanNode][] } {
    const [pieces, deep]: [string[][], [string, PlanNode][]] = [[[]], []]
    for (const [at, [name, place]] of fieldsOf(type, places).entries()) {
      pieces.at(-1)!.push(JSON.stringify(`${at === 0 ? '{' : ','}${quoted(name.split('.')[1]!)}:`))
      if (isInlineField(this.#fromRow, type, place)) {
        pieces.at(-1)!.push(this.#field(type, place, form))
      } else {
        deep.push([name, place])
        pieces.push([])
      }
    }
    pieces.at(-1)!.push(fieldsOf(type, places).length === 0 ? '"{}"' : '"}"')
    return { pieces: pieces.map((parts) => parts.join(' + ')), deep }
  }

  /** A function that writes a row. What it has written of a document it need not write again, unless rows are counted on the way. */
  row(type: GraphQLObjectType, places: Places, form: Form, check: string): string {
    const { pieces, deep } = this.pieces(type, places, form)
    if (deep.length > 0) return this.#pointingRow(type, form, check, pieces, deep.map(([, place]) => this.#gap(type, place, form)))
    const [text] = pieces
    const remembered = this.remembered(type, form)
    return this.code.define('row, run', remembered ? `${check}
      if (run.counts !== undefined) return ${text}
      const known = ${remembered.known}.get(row)
      return (known === undefined ? ${remembered.remember}(row, [${text}]) : known)[0]` : `${check} return ${text}`)
  }

  /** The same for a row that takes more: what is in its gaps is looked for anew each time. */
  #pointingRow(type: GraphQLObjectType, form: Form, check: string, pieces: readonly string[], gaps: readonly Gap[]): string {
    const memory = this.#memory(type, form)?.place(({ pieces: known }: PointingRow) => known)
    if (!memory) {
      const text = pieces.map((piece, at) => (at === 0 ? piece : `${gaps[at - 1]!.text(gaps[at - 1]!.parts(gaps[at - 1]!.ids))} + ${piece}`)).join(' + ')
      return this.code.define('row, run', `${check} return ${text}`)
    }
    const [known, remember, row] = [memory.known, memory.remember, PointingRow].map((each) => this.code.bind(each))
    const text = pieces.map((_, at) => (at === 0 ? 'known.pieces[0]' : `${gaps[at - 1]!.text(`gaps[${at - 1}]`)} + known.pieces[${at}]`)).join(' + ')
    return this.code.define('row, run', `${check}
      let known = ${known}.get(row)
      if (known === undefined) known = ${remember}(row, new ${row}([${pieces.join(', ')}], [${gaps.map(({ ids }) => ids).join(', ')}]))
      else if (known.run === run.number) return known.text
      if (known.text === undefined || !(${gaps.map((gap, at) => gap.isAsBefore(`known.ids[${at}]`, `known.gaps[${at}]`)).join(' && ')})) {
        const gaps = [${gaps.map((gap, at) => gap.parts(`known.ids[${at}]`)).join(', ')}]
        ${this.code.bind(renew)}(${this.code.bind(memory)}, known, gaps, ${text})
      }
      known.run = run.number
      return known.text`)
  }

  #gap(parent: GraphQLObjectType, place: PlanNode, form: Form): Gap {
    const { steps, looks } = this.#vocabulary
    const [field, step] = [fieldAt(parent, place)!, steps.at(place)]
    if (!step || !('gather' in step)) {
      const text = this.#field(parent, place, form)
      return { ids: 'undefined', isAsBefore: (_, parts) => `${text} === ${parts}[0]`, parts: () => `[${text}]`, text: (parts) => `${parts}[0]` }
    }
    const { target, ids } = step.points!
    const below = this.row(getNamedType(field.type) as GraphQLObjectType, place.children, 'own', '')
    const textOf = this.code.define('id, run', `const row = run.looks[${looks!.numberOf(target)}](id); return row === undefined ? undefined : ${below}(row, run)`)
    const shape = this.code.bind(shapeOf(field.type))
    const row = steps.documents.has(parent.name) && form !== 'copy' ? 'row.body' : 'row'
    return {
      ids: `${this.code.bind(ids)}(${row})`,
      isAsBefore: (given, parts) => `${this.code.bind(areAsBefore)}(${given}, ${parts}, ${textOf}, run)`,
      parts: (given) => `${this.code.bind(partsOf)}(${given}, ${textOf}, run)`,
      text: (parts) => `${this.code.bind(textOfParts)}(${parts}, ${shape})`,
    }
  }

  value(type: GraphQLOutputType, place: PlanNode, form: Form, value: string): string {
    const required = isNonNullType(type)
    const inner = required ? type.ofType : type
    if (isLeafType(inner)) return `${this.code.bind(leafText(inner, required))}(${value})`
    const nothing = required ? `${this.code.bind(giveUp)}()` : `'null'`
    return `${isListType(inner) ? this.#list(inner.ofType, place, form, nothing) : this.#objects(inner, place, form, nothing)}(${value}, run)`
  }

  #field(parent: GraphQLObjectType, place: PlanNode, form: Form): string {
    const field = fieldAt(parent, place)
    if (!field) return JSON.stringify(quoted(parent.name))
    const step = this.#vocabulary.steps.at(place)
    const below: Form = step && 'copies' in step ? 'copy' : form === 'anything' && !step ? 'anything' : 'own'
    const text = this.value(field.type, place, below, this.#valueOf(parent, field, step, place, form))
    return place.choice ? `(run.counts === undefined || ${this.code.bind(count)}(run, ${this.code.bind(place)}), ${text})` : text
  }

  /** The value of a field of `row`. */
  #valueOf({ name: parent }: GraphQLObjectType, field: Field, step: Step | undefined, place: PlanNode, form: Form): string {
    const { steps } = this.#vocabulary
    if (!step) return `${this.code.bind(property)}(row, ${JSON.stringify(field.name)})`
    if ('property' in step && form !== 'anything') {
      return form === 'copy' ? `row[${JSON.stringify(field.name)}]` : `${steps.documents.has(parent) ? 'row.body' : 'row'}[${JSON.stringify(step.property)}]`
    }
    const list = isListType(isNonNullType(field.type) ? field.type.ofType : field.type)
    return `${this.code.bind(valueIn(step as Exclude<Step, { gather: unknown }>, this.#vocabulary, place, parent, list, form))}(row)`
  }

  #list(element: GraphQLOutputType, place: PlanNode, form: Form, nothing: string): string {
    return this.code.define('list, run', `
      if (list === null || list === undefined) return ${nothing}
      if (!Array.isArray(list)) ${this.code.bind(giveUp)}()
      let text = '['
      for (let at = 0; at < list.length; at++) text += (at > 0 ? ',' : '') + ${this.value(element, place, form, 'list[at]')}
      return text + ']'`)
  }

  #objects(type: GraphQLObjectType | GraphQLAbstractType, place: PlanNode, form: Form, nothing: string): string {
    const check = `if (row === null || row === undefined) return ${nothing};`
    if (isObjectType(type)) return this.row(type, place.children, form, check)
    const cases = this.#vocabulary.schema.getPossibleTypes(type).map((possible) => `case ${JSON.stringify(possible.name)}: return ${this.row(possible, place.children, form, '')}(row, run)`)
    return this.code.define('row, run', `${check} switch (${this.code.bind(typeOf(type))}(row, run)) { ${cases.join('; ')} } ${this.code.bind(giveUp)}()`)
  }
}

/** What is between two pieces of a row, as code. */
interface Gap {
  /** The ids that belong there, given `row`. */
  readonly ids: string
  /** The texts that it is made of, given these ids, and whether they are what they were. */
  readonly parts: (ids: string) => string
  readonly isAsBefore: (ids: string, parts: string) => string
  readonly text: (parts: string) => string
}

/** What a field makes of the documents that it points at. */
export function shapeOf(type: GraphQLOutputType): Shape {
  const inner = isNonNullType(type) ? type.ofType : type
  return isListType(inner) ? { list: true, required: isNonNullType(inner.ofType) } : { list: false, required: isNonNullType(type) }
}

type Field = GraphQLField<unknown, unknown>

/** Below an interface there are fields of several types. */
export function fieldsOf({ name }: GraphQLObjectType, places: Places): [string, PlanNode][] {
  return [...places].filter(([key]) => key.startsWith(`${name}.`))
}

/** Undefined for `__typename`. */
export function fieldAt(parent: GraphQLObjectType, place: PlanNode): Field | undefined {
  return parent.getFields()[place.written[0]!.name.value]
}

/** What a field without a resolver is. */
function property(row: Record<string, unknown>, name: string): unknown {
  const value = row[name]
  if (typeof value === 'function' || value instanceof Promise || value instanceof Error) giveUp()
  return value
}

function giveUp(): never {
  throw new GiveUp('a value is not as it should be')
}
