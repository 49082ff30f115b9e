// Measures a document against the limits, counting a fragment each time it is spread. Each fragment is visited once, so
// even a document of fragments in fragments takes time linear in its length.

import { GraphQLError, Kind, type ASTNode, type DocumentNode, type FieldNode, type FragmentDefinitionNode, type SelectionNode, type SelectionSetNode } from 'graphql'
import { fragmentsOf } from '../../plan/plan-operation.ts'
import type { RequestSteps } from '../../plan/request-steps.ts'
import { limitExceeded, type Limits } from './request-limits.ts'

/** Throws the first limit that the document exceeds. */
export function measure(document: DocumentNode, limits: Limits, steps: RequestSteps): void {
  const measuring = new Measuring(fragmentsOf(document), limits, steps)
  const executable = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION)
  const fragments = executable.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
  if (fragments.length > limits.fragments) throw limitExceeded('fragments', limits, { nodes: [fragments[limits.fragments]!] })
  for (const node of executable) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) measuring.fragment(node.name.value, 1)
    else measuring.within(node.selectionSet, 1)
  }
  // Only now: the walk below visits a fragment at every spread, which is safe once fields and spreads are limited and cycles excluded.
  for (const node of executable) if (node.kind === Kind.OPERATION_DEFINITION || !measuring.spread.has(node.name.value)) measuring.repeats([node.selectionSet], 1)
}

interface Size {
  fields: number
  aliases: number
  /** Fragments, whether they exist or not: each takes a step of every later walk. */
  spreads: number
  /** Levels of fields. */
  depth: number
  /** Levels of fields and fragments. */
  levels: number
}

class Measuring {
  readonly #fragments: Record<string, FragmentDefinitionNode>
  readonly #limits: Limits
  readonly #steps: RequestSteps
  readonly #known = new Map<string, Readonly<Size>>()
  readonly #open = new Set<string>()
  /** Names of the fragments that are spread somewhere. */
  readonly spread = new Set<string>()

  constructor(fragments: Record<string, FragmentDefinitionNode>, limits: Limits, steps: RequestSteps) {
    this.#fragments = fragments
    this.#limits = limits
    this.#steps = steps
  }

  /** `level` counts the frames on our own stack. */
  within({ selections }: SelectionSetNode, level: number): Readonly<Size> {
    if (level > this.#limits.nesting) throw this.#tooNested(selections[0]!)
    const size: Size = { ...nothing }
    for (const selection of selections) {
      this.#steps.take(1, selection)
      const own = Number(selection.kind === Kind.FIELD)
      const below = this.#below(selection, level + 1)
      size.fields += own + below.fields
      size.spreads += 1 - own + below.spreads
      size.aliases += Number(selection.kind === Kind.FIELD && selection.alias !== undefined) + below.aliases
      size.depth = Math.max(size.depth, own + below.depth)
      size.levels = Math.max(size.levels, 1 + below.levels)
      this.#check(size, level, selection)
    }
    return size
  }

  fragment(name: string, level: number): Readonly<Size> {
    const known = this.#known.get(name)
    if (known) return known
    const definition = this.#fragment(name)
    if (!definition) return nothing
    if (this.#open.has(name)) throw circular(definition)
    this.#open.add(name)
    const size = this.within(definition.selectionSet, level)
    this.#open.delete(name)
    this.#known.set(name, size)
    return size
  }

  /**
   * Checks selection sets that apply to the same place of the answer, and then those of each of their fields. Validation compares
   * each two selections of a field: once for its own selection set, and once from each of the `merged` levels above, in which
   * selections of the same field are compared with all that is below them.
   */
  repeats(together: readonly SelectionSetNode[], merged: number): void {
    const fields = new Map<string, FieldNode[]>()
    const collect = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
        this.#steps.take(1, selection)
        if (selection.kind === Kind.FIELD) {
          const key = (selection.alias ?? selection.name).value
          const same = fields.get(key)
          if (same) same.push(selection)
          else fields.set(key, [selection])
        } else {
          const { selectionSet } = selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragment(selection.name.value) ?? {} : selection
          if (selectionSet) collect(selectionSet)
        }
      }
    }
    together.forEach(collect)
    for (const [key, same] of fields) {
      const { repeats } = this.#limits
      if (same.length > repeats) throw limitExceeded('repeats', this.#limits, { subject: key, nodes: [same[repeats]!] })
      this.#steps.take((merged * same.length * (same.length - 1)) / 2, same[0])
      this.repeats(same.flatMap(({ selectionSet }) => selectionSet ?? []), same.length > 1 ? merged + 1 : 1)
    }
  }

  #fragment(name: string): FragmentDefinitionNode | undefined {
    return Object.hasOwn(this.#fragments, name) ? this.#fragments[name] : undefined
  }

  #below(selection: SelectionNode, level: number): Readonly<Size> {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      this.spread.add(selection.name.value)
      return this.fragment(selection.name.value, level)
    }
    return selection.selectionSet ? this.within(selection.selectionSet, level) : nothing
  }

  #tooNested(node: ASTNode): GraphQLError {
    return limitExceeded('nesting', this.#limits, { nodes: [node] })
  }

  #check({ levels, ...size }: Size, level: number, node: ASTNode): void {
    if (level + levels - 1 > this.#limits.nesting) throw this.#tooNested(node)
    for (const name of ['depth', 'fields', 'aliases', 'spreads'] as const) {
      if (size[name] > this.#limits[name]) throw limitExceeded(name, this.#limits, { nodes: [node] })
    }
  }
}

/** The same error that validation gives; measuring comes first and cannot follow a cycle. */
function circular(definition: FragmentDefinitionNode): GraphQLError {
  return new GraphQLError(`Cannot spread fragment "${definition.name.value}" within itself.`, { nodes: [definition], extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { spec: true, status: 400 } } })
}

const nothing: Readonly<Size> = { fields: 0, aliases: 0, spreads: 0, depth: 0, levels: 0 }
