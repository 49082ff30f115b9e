// Code as text, with the values that it needs bound to names. The text consists of GraphQL names and of property names
// written as JSON; nothing that a client sends as data gets into it.

export class Code {
  readonly #names = new Map<unknown, string>()
  readonly #functions: string[] = []

  /** Returns the name under which the code finds a value. */
  bind(value: unknown): string {
    const name = this.#names.get(value) ?? `$${this.#names.size}`
    this.#names.set(value, name)
    return name
  }

  /** Adds a function and returns its name. */
  define(parameters: string, body: string): string {
    const name = `f${this.#functions.length}`
    this.#functions.push(`function ${name}(${parameters}) { ${body} }`)
    return name
  }

  /** The function of that name, ready to be called. */
  link(name: string): unknown {
    const text = `'use strict'; ${this.#functions.join('\n')} return ${name}`
    // oxlint-disable-next-line no-implied-eval -- this is the compiler
    return (new Function(...this.#names.values(), text) as (...bound: unknown[]) => unknown)(...this.#names.keys())
  }
}
