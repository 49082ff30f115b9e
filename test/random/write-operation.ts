// From a tree of choices to the text of a valid operation. Here every alias, variable and fragment
// gets its name; nothing random happens any more.

import { astFromValue, getNullableType, parse, print } from 'graphql'
import {
  fits, jsonOf, type Arguments, type DirectiveChoice, type FieldChoice, type FragmentChoice, type Given, type OperationTree, type Selection,
} from './operation-tree.ts'

export interface WrittenOperation {
  readonly query: string
  readonly variables: Record<string, unknown>
}

export function writeOperation(tree: OperationTree): WrittenOperation {
  return new Writer().operation(tree)
}

interface NamedFragment {
  readonly name: string
  readonly choice: FragmentChoice
  /** Undefined while it is being written: using it now would make it contain itself. */
  text: string | undefined
}

class Writer {
  /** What each response key means, in the whole document: two fields under one key are always the same field. */
  readonly #keys = new Map<string, string>()
  /** The names of variables, by their definition and value: equal arguments stay equal when they are variables. */
  readonly #variables = new Map<string, { name: string; definition: string }>()
  readonly #sent: Record<string, unknown> = {}
  readonly #fragments: NamedFragment[] = []

  operation({ directives, selections }: OperationTree): WrittenOperation {
    const body = `${this.#directives(directives)} ${this.#selections(selections)}`
    const definitions = [...this.#variables.values()].map(({ definition }) => definition).join(', ')
    const fragments = this.#fragments.map(({ name, choice, text }) => `fragment ${name} on ${choice.on!} ${text!}`)
    const document = [`query Random ${definitions && `(${definitions})`} ${body}`, ...fragments].join('\n')
    return { query: print(parse(document)), variables: this.#sent }
  }

  #selections(selections: readonly Selection[]): string {
    return `{ ${selections.map((selection) => (selection.kind === 'field' ? this.#field(selection) : this.#fragment(selection))).join(' ')} }`
  }

  #field({ name, type, alias, arguments: given, directives, selections }: FieldChoice): string {
    const call = `${name}${this.#arguments(given)}`
    const key = this.#key(alias ?? name, `${call}: ${String(type)}`)
    const below = selections.length > 0 ? this.#selections(selections) : ''
    return `${key === name ? '' : `${key}: `}${call} ${this.#directives(directives)} ${below}`
  }

  #key(wished: string, meaning: string): string {
    for (let number = 1; ; number++) {
      const key = number === 1 ? wished : `${wished}${number}`
      const known = this.#keys.get(key)
      if (known !== undefined && known !== meaning) continue
      this.#keys.set(key, meaning)
      return key
    }
  }

  #fragment(choice: FragmentChoice): string {
    const directives = this.#directives(choice.directives)
    if (choice.kind === 'named') return `...${this.#named(choice).name} ${directives}`
    return `...${choice.on === undefined ? '' : ` on ${choice.on}`} ${directives} ${this.#selections(choice.selections)}`
  }

  #named(choice: FragmentChoice): NamedFragment {
    const known = this.#fragments.find((fragment) =>
      fragment.text !== undefined && fragment.choice.on === choice.on && fragment.choice.number === choice.number && fits(fragment.choice.room, choice.room))
    if (known) return known
    const fragment: NamedFragment = { name: `F${this.#fragments.length + 1}`, choice, text: undefined }
    this.#fragments.push(fragment)
    fragment.text = this.#selections(choice.selections)
    return fragment
  }

  #directives(directives: readonly DirectiveChoice[]): string {
    return directives.map(({ name, arguments: given }) => `@${name}${this.#arguments(given)}`).join(' ')
  }

  #arguments(given: Arguments): string {
    const texts = Object.entries(given).map(([name, value]) => `${name}: ${this.#value(value)}`)
    return texts.length > 0 ? `(${texts.join(', ')})` : ''
  }

  #value(given: Given): string {
    if (given.by !== 'literal') return `$${this.#variable(given)}`
    if (!given.fields) return literal(given.value, given)
    return `{ ${Object.entries(given.fields).map(([name, value]) => `${name}: ${this.#value(value)}`).join(', ')} }`
  }

  #variable(given: Given): string {
    const value = jsonOf(given)
    const identity = JSON.stringify([String(given.type), given.by, value, given.overridden])
    const known = this.#variables.get(identity)
    if (known) return known.name
    const name = `v${this.#variables.size + 1}`
    this.#variables.set(identity, { name, definition: definitionOf(name, given, value) })
    if (given.by === 'variable' && value !== undefined) this.#sent[name] = value
    return name
  }
}

/** With a default, a variable may be nullable even where null is not allowed. */
function definitionOf(name: string, given: Given, value: unknown): string {
  if (given.by === 'variable' && given.overridden === undefined) return `$${name}: ${String(given.type)}`
  return `$${name}: ${String(getNullableType(given.type))} = ${literal(given.by === 'default' ? value : given.overridden, given)}`
}

function literal(value: unknown, { type }: Given): string {
  return print(astFromValue(value, type)!)
}
