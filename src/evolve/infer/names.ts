// The names of types and fields, from the names of containers, types and properties. A property whose name GraphQL cannot have keeps it as `at`.

import { fieldNamed, singularOf } from '../../model/api/plurals.ts'
import { idEnding } from '../profile/name-match.ts'

/** Names that no type may have: GraphQL's, and those that Quire gives. */
const takenTypes = ['Query', 'Mutation', 'Subscription', 'String', 'Int', 'Float', 'Boolean', 'ID', 'JSON', 'Node', 'PageInfo', 'PartitionKey', 'OnDelete', 'AllowedBy', 'AggregateFunction', 'ReadFrom']
/** Names that no field may have: Quire adds these, and inputs have them. */
const takenFields = ['nodeId', 'etag', 'clientMutationId', 'ifMatch']

/** Names that are different from each other, whatever is asked for. */
export class Names {
  readonly #taken: Set<string>

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...taken].map((name) => name.toLowerCase()))
  }

  static ofTypes(): Names {
    return new Names(takenTypes)
  }

  static ofFields(): Names {
    return new Names(takenFields)
  }

  /** The first of these that is free; else the last with a number. */
  take(...wanted: readonly string[]): string {
    const last = wanted.at(-1)!
    for (let number = 1; ; number++) {
      const free = (number === 1 ? wanted : [`${last}${number}`]).find((name) => !this.#taken.has(name.toLowerCase()))
      if (free === undefined) continue
      this.#taken.add(free.toLowerCase())
      return free
    }
  }
}

/** `OrderLine` of `order_lines`. */
export function typeNameOf(text: string): string {
  const name = singularOf(camelCased(text))
  // Pages have these endings.
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replace(/(Connection|Edge)$/, '$&Document')
}

/** The name itself if GraphQL can have it and it begins in lower case; `marketCap` of `market-cap`, `isbn` of `ISBN`. */
export function fieldNameOf(property: string): string {
  return /^_?[a-z]\w*$/.test(property) ? property : camelCased(property)
}

/** What a pointer points at: `maker` of `makerId`. A short form gives way to the name of the target. */
export function pointerNames(property: string, target: string, isList: boolean, idFrom: string | undefined): string[] {
  const base = fieldNameOf(property.replace(idEnding, ''))
  const isShort = target.toLowerCase().startsWith(base.toLowerCase()) || base === 'id' || property === idFrom
  const one = isShort && !isList ? [fieldNamed(target), base] : [base]
  return [...one, `${base}Document`]
}

/** Whether a field can be stored under this name. */
export function isStorable(property: string): boolean {
  return property !== '' && property !== '*' && !(property in Object.prototype)
}

export function isGraphqlName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text) && !text.startsWith('__')
}

function camelCased(text: string): string {
  const words = text.replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '').match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []
  const joined = words.map((word, at) => (at === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())).join('')
  return joined === '' ? 'value' : /^\d/.test(joined) ? `_${joined}` : joined
}
