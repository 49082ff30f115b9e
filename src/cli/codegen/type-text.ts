// How generated TypeScript is written: names that do not collide, properties, and comments.

/** Gives each type a name of its own. GraphQL names are unique among themselves, but not among the names made from them. */
export class TypeNames {
  readonly #taken: Set<string>
  readonly #given = new Map<string, string>()

  constructor(taken: readonly string[]) {
    this.#taken = new Set([...taken, ...reserved])
  }

  /** The same name for the same key. */
  of(key: string, wanted: string): string {
    let name = this.#given.get(key)
    if (name === undefined) {
      for (name = wanted; this.#taken.has(name);) name += '_'
      this.#taken.add(name)
      this.#given.set(key, name)
    }
    return name
  }
}

/** The words of TypeScript that cannot be the name of a type, or mean something else where a type is used. */
const reserved = `
  any as asserts await bigint boolean break case catch class const continue debugger default delete do else enum export extends false finally for
  function if implements import in infer instanceof interface intrinsic keyof let never new null number object package private protected public
  readonly return static string super switch symbol this throw true try typeof undefined unique unknown var void while with yield
`.trim().split(/\s+/)

export interface PropertyText {
  readonly name: string
  readonly type: string
  readonly optional?: boolean
  readonly description?: string | null | undefined
}

/** An exported type. An alias and not an interface, because only an alias fits a type with an index signature. */
export function exportedType(name: string, text: string, description?: string | null): string {
  return `${comment(description, '')}export type ${name} = ${text}\n`
}

export function objectText(properties: readonly PropertyText[], indent = ''): string {
  if (properties.length === 0) return 'Record<never, never>'
  const inner = `${indent}  `
  const lines = properties.map(({ name, type, optional = false, description }) =>
    `${comment(description, inner)}${inner}readonly ${quotedName(name)}${optional ? '?' : ''}: ${type.replaceAll('\n', '\n  ')}\n`)
  return `{\n${lines.join('')}${indent}}`
}

export function listText(element: string): string {
  const isOne = /^\w+$/.test(element) || (element.startsWith('{') && element.indexOf('\n}') === element.length - 2)
  return `readonly ${isOne ? element : `(${element})`}[]`
}

export function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
}

export function unionText(members: readonly string[]): string {
  return members.length === 0 ? 'never' : members.join(' | ')
}

function quotedName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

function comment(description: string | null | undefined, indent: string): string {
  const lines = (description ?? '').trim().replaceAll('*/', '*\\/').split('\n')
  if (lines[0] === '') return ''
  return lines.length === 1 ? `${indent}/** ${lines[0]} */\n` : `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}
