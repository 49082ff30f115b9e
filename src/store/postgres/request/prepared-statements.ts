// Which statements are prepared. Preparing saves a round trip and planning, but the driver and the server keep every prepared statement
// for as long as the connection lives, and clients can write filters of any form.

const maxTexts = 1000

export class PreparedStatements {
  readonly #texts = new Set<string>()
  readonly #isOn: boolean

  constructor(isOn: boolean) {
    this.#isOn = isOn
  }

  /** Whether this text is one of those that are prepared. */
  has(text: string): boolean {
    if (!this.#isOn) return false
    if (this.#texts.has(text)) return true
    if (this.#texts.size >= maxTexts) return false
    this.#texts.add(text)
    return true
  }
}
