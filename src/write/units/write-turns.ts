// Writers in this process that write the same document take turns: each reads what the one before it has written. Without turns the store would
// refuse all but one, and the others would start again. Writers in other processes are detected by etags, as always.

import { currentOperation } from '../../store/operation-context.ts'

export class WriteTurns {
  /** When the last one in line ends, by document. */
  readonly #lines = new Map<string, Promise<void>>()

  /** Waits for its turn; the result ends it. */
  async take(name: string): Promise<() => void> {
    const before = this.#lines.get(name)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#lines.set(name, promise)
    await before
    return () => {
      if (this.#lines.get(name) === promise) this.#lines.delete(name)
      resolve()
    }
  }
}

/** The turn of one attempt. It takes at most one, so that no two attempts wait for each other. */
export class WriteTurn {
  readonly #turns: WriteTurns
  #name: string | undefined
  #end: (() => void) | undefined

  constructor(turns: WriteTurns) {
    this.#turns = turns
  }

  async take(name: string): Promise<void> {
    if (this.#name !== undefined) return
    this.#name = name
    this.#end = await this.#turns.take(name)
    // The request may have been cancelled meanwhile.
    currentOperation()?.check()
  }

  end(): void {
    this.#end?.()
  }
}
