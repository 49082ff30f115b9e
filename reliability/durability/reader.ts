// A client that only reads. Its reads must succeed while the disk fails for writers.

const query = '{ book(id: "b1") { name countOfReviews authors { name } } books(first: 5) { nodes { name } } }'

const maxRetries = 5

export class Reader {
  readonly #address: string
  readonly #wrong: string[]
  answered = 0

  constructor(address: string, wrong: string[]) {
    this.#address = address
    this.#wrong = wrong
  }

  async read(again = 0): Promise<void> {
    try {
      const response = await fetch(this.#address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
      const text = await response.text()
      // A busy gateway may refuse, so the read is retried, but not forever: reads must keep working.
      if ((response.status === 503 || response.status === 504) && again < maxRetries) return await this.read(again + 1)
      if (response.status !== 200 || text.includes('"errors"')) this.#wrong.push(`A read was answered with ${response.status} ${text}`)
      else this.answered++
      const ready = await fetch(new URL('/ready', this.#address))
      await ready.arrayBuffer()
      if (ready.status !== 200) this.#wrong.push(`/ready was answered with ${ready.status}`)
    } catch (error) {
      this.#wrong.push(`A read was not answered: ${(error as Error).message}`)
    }
  }
}
