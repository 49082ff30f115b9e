// A client that renames a publisher again and again through one connection, and reads it through others right after each
// acknowledged write. Connections go to workers in turn, so that some of the others belong to another worker.

import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

const readers = 3

/** Few enough writes that the load decides what is measured. */
const pauseMs = 20

export class StaleReads {
  readonly #port: number
  readonly #headers: Record<string, string>
  readonly #publisher: { readonly id: string; readonly name: string }
  readonly #agents = Array.from({ length: 1 + readers }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  readonly #running: Promise<void>
  #isOver = false
  #checked = 0
  #stale = 0

  constructor(port: number, headers: Record<string, string>, publisher: { readonly id: string; readonly name: string }) {
    this.#port = port
    this.#headers = headers
    this.#publisher = publisher
    this.#running = this.#run()
  }

  async stop(): Promise<{ readonly checked: number; readonly stale: number }> {
    this.#isOver = true
    await this.#running
    for (const agent of this.#agents) agent.destroy()
    return { checked: this.#checked, stale: this.#stale }
  }

  async #run(): Promise<void> {
    const [writer, ...others] = this.#agents
    const { id, name: original } = this.#publisher
    for (let count = 0; !this.#isOver; count++) {
      // As long as the original, so that the length of other answers stays.
      const name = original.slice(0, -2) + String(count % 100).padStart(2, '0')
      await this.#write(writer!, name)
      const read = await Promise.all(others.map((agent) => this.#ask(agent, 'query ($id: ID!) { publisher(id: $id) { name } publishers(first: 100) { nodes { id name } } }', { id })))
      this.#checked += read.length
      for (const answer of read) {
        const { publisher, publishers } = answer as { publisher: { name: string }; publishers: { nodes: { id: string; name: string }[] } }
        if (publisher.name !== name || publishers.nodes.some((node) => node.id === id && node.name !== name)) this.#stale++
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    await this.#write(writer!, original)
  }

  async #write(agent: Agent, name: string): Promise<void> {
    await this.#ask(agent, 'mutation ($input: UpdatePublisherInput!) { updatePublisher(input: $input) { publisher { id } } }', { input: { id: this.#publisher.id, name } })
  }

  async #ask(agent: Agent, query: string, variables: object): Promise<unknown> {
    const sent = request({ agent, port: this.#port, host: '127.0.0.1', method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json', ...this.#headers } })
    sent.end(JSON.stringify({ query, variables }))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const body = await text(response)
    const { data, errors } = JSON.parse(body) as { data?: unknown; errors?: unknown }
    if (errors) throw new Error(`A request failed: ${body}`)
    return data
  }
}
