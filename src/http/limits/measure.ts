// How much a document asks for, with every fragment counted wherever it is spread. Each fragment is looked at
// once, so a document of nothing but fragments in fragments takes no longer than its text is long.

import { GraphQLError, Kind, type ASTNode, type DocumentNode, type FieldNode, type FragmentDefinitionNode, type SelectionNode, type SelectionSetNode } from 'graphql'
import { fragmentsOf } from '../../plan/plan.ts'
import { beyondLimit, type Limits } from './limits.ts'

/** Throws what is too much. */
export function measure(document: DocumentNode, limits: Limits): void {
  const measuring = new Measuring(fragmentsOf(document), limits)
  const executable = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION)
  for (const node of executable) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) measuring.fragment(node.name.value, 1)
    else measuring.within(node.selectionSet, 1)
  }
  // There are not too many fields by now, and nothing goes round in a circle.
  for (const node of executable) if (node.kind === Kind.OPERATION_DEFINITION || !measuring.spread.has(node.name.value)) measuring.repeats([node.selectionSet])
}

interface Size {
  fields: number
  aliases: number
  /** Fields below each other. */
  depth: number
  /** The same with fragments. */
  levels: number
}

class Measuring {
  readonly #fragments: Record<string, FragmentDefinitionNode>
  readonly #limits: Limits
  readonly #known = new Map<string, Size>()
  readonly #open = new Set<string>()
  /** The fragments that something is made of. */
  readonly spread = new Set<string>()

  constructor(fragments: Record<string, FragmentDefinitionNode>, limits: Limits) {
    this.#fragments = fragments
    this.#limits = limits
  }

  /** `level` is how far down this is on our own stack. */
  within({ selections }: SelectionSetNode, level: number): Size {
    if (level > this.#limits.nesting) throw this.#tooNested(selections[0]!)
    const size = { fields: 0, aliases: 0, depth: 0, levels: 0 }
    for (const selection of selections) {
      const own = Number(selection.kind === Kind.FIELD)
      const below = this.#below(selection, level + 1)
      size.fields += own + below.fields
      size.aliases += Number(selection.kind === Kind.FIELD && selection.alias !== undefined) + below.aliases
      size.depth = Math.max(size.depth, own + below.depth)
      size.levels = Math.max(size.levels, 1 + below.levels)
      this.#hold(size, level, selection)
    }
    return size
  }

  fragment(name: string, level: number): Size {
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

  /** Looks at what is selected at one place of the answer, together with everything that is selected there elsewhere. */
  repeats(together: readonly SelectionSetNode[]): void {
    const fields = new Map<string, FieldNode[]>()
    const collect = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
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
      if (same.length > repeats) throw beyondLimit(`${key} is asked for more than ${repeats} times at one place. Ask for it once.`, { nodes: [same[repeats]!] })
      this.repeats(same.flatMap(({ selectionSet }) => selectionSet ?? []))
    }
  }

  #fragment(name: string): FragmentDefinitionNode | undefined {
    return Object.hasOwn(this.#fragments, name) ? this.#fragments[name] : undefined
  }

  #below(selection: SelectionNode, level: number): Size {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      this.spread.add(selection.name.value)
      return this.fragment(selection.name.value, level)
    }
    return selection.selectionSet ? this.within(selection.selectionSet, level) : nothing
  }

  #tooNested(node: ASTNode): GraphQLError {
    return beyondLimit(`The document is nested more than ${this.#limits.nesting} levels deep. Ask for less at a time.`, { nodes: [node] })
  }

  #hold({ fields, aliases, depth, levels }: Size, level: number, node: ASTNode): void {
    const { nesting, ...most } = this.#limits
    if (level + levels - 1 > nesting) throw this.#tooNested(node)
    if (depth > most.depth) throw beyondLimit(`The operation is more than ${most.depth} fields deep. Ask for what is further down by its id.`, { nodes: [node] })
    if (fields > most.fields) throw beyondLimit(`The operation has more than ${most.fields} fields, with fragments counted wherever they are spread. Ask for less at a time.`, { nodes: [node] })
    if (aliases > most.aliases) throw beyondLimit(`The operation has more than ${most.aliases} aliases, with fragments counted wherever they are spread. Ask for less at a time.`, { nodes: [node] })
  }
}

/** Validation says the same, of documents that reach it. */
function circular(definition: FragmentDefinitionNode): GraphQLError {
  return new GraphQLError(`Cannot spread fragment "${definition.name.value}" within itself.`, { nodes: [definition], extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { spec: true, status: 400 } } })
}

const nothing: Size = { fields: 0, aliases: 0, depth: 0, levels: 0 }
