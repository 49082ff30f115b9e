// Which fields of a plan can be written from their row alone, as a part of its code. The others become columns.

import {
  isAbstractType, isLeafType, isListType, isNonNullType, isObjectType, type GraphQLField, type GraphQLObjectType, type GraphQLOutputType, type GraphQLSchema,
} from 'graphql'
import { keyById } from '../../../model/keys/partition.ts'
import type { DocumentType } from '../../../model/model.ts'
import type { PlanNode } from '../../../plan/plan.ts'
import type { LookupTarget } from '../../../read/in-process-lookups.ts'
import type { AnswerLimits } from '../../answer/answer-too-large.ts'
import type { RowCaches } from '../row-cache.ts'
import type { Steps } from './steps.ts'

export type PlanNodes = ReadonlyMap<string, PlanNode>

export interface CompileContext {
  readonly steps: Steps
  readonly schema: GraphQLSchema
  readonly rowCaches: RowCaches | undefined
  /** For stores whose documents are in this process: a row's code looks up the documents that the row points at. Without it they are read in waves. */
  readonly targets: LookupTargets | undefined
  readonly limits: AnswerLimits
}

/** The documents that rows' code looks up, by their type and how deep they are. Code finds the lookups by number. */
export class LookupTargets {
  readonly #targets: Omit<LookupTarget, 'alone'>[] = []
  /** The containers from which documents are read by key in waves; undefined if it could be any. */
  readByKey: Set<string> | undefined = new Set()
  /** The relations whose rows are counted, by their number in `Run.counting`. */
  readonly counted: PlanNode[] = []

  get all(): LookupTarget[] {
    return this.#targets.map((target) => ({ ...target, alone: this.#targets.filter(({ type }) => type.container === target.type.container).length === 1 }))
  }

  /** Whether a document could be looked up and read by key as well: it would be counted twice. */
  get areMixed(): boolean {
    return this.#targets.some(({ type }) => this.readByKey?.has(type.container) ?? true)
  }

  counterOf(node: PlanNode): number {
    const known = this.counted.indexOf(node)
    return known >= 0 ? known : this.counted.push(node) - 1
  }

  /** The number of one more. */
  add(type: DocumentType, depth: number): number {
    return this.#targets.push({ type, depth }) - 1
  }
}

/** Whether the selection below a node can be written from its value. */
export function isInline(context: CompileContext, type: GraphQLOutputType, node: PlanNode): boolean {
  if (isListType(type) || isNonNullType(type)) return isInline(context, type.ofType, node)
  if (isLeafType(type)) return true
  const possible = isObjectType(type) ? [type] : context.schema.getPossibleTypes(type)
  return possible.every((each) => isInlineRow(context, each, node.children))
}

/** Whether all selected fields of a row can be written from it. */
export function isInlineRow(context: CompileContext, type: GraphQLObjectType, nodes: PlanNodes): boolean {
  return nodesOf(type, nodes).every(([, node]) => isInlineField(context, type, node))
}

export function isInlineField(context: CompileContext, parent: GraphQLObjectType, node: PlanNode): boolean {
  const field = fieldAt(parent, node)
  if (!field) return true
  const step = context.steps.at(node)
  if (step && 'byId' in step) return context.targets !== undefined && keyById(step.byId) !== undefined && isInline(context, field.type, node)
  if (step && 'listing' in step) return false
  if (step && 'lookUpAll' in step) return context.targets !== undefined && step.points !== undefined && isInline(context, field.type, node)
  return (step !== undefined || !field.resolve) && isInline(context, field.type, node)
}

/** Whether its values are objects inside of documents, which may hold something else. */
export function isContained({ steps, schema }: CompileContext, type: GraphQLOutputType): boolean {
  const possible = isObjectType(type) ? [type] : isAbstractType(type) ? schema.getPossibleTypes(type) : []
  return possible.some(({ name }) => !steps.documents.has(name))
}

/** The nodes of one type: below an interface there are those of several. */
export function nodesOf({ name }: GraphQLObjectType, nodes: PlanNodes): [string, PlanNode][] {
  return [...nodes].filter(([key]) => key.startsWith(`${name}.`))
}

/** Undefined for `__typename`. */
export function fieldAt(parent: GraphQLObjectType, node: PlanNode): GraphQLField<unknown, unknown> | undefined {
  return parent.getFields()[node.written[0]!.name.value]
}
