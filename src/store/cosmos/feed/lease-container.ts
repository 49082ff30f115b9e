// The documents of a change feed processor, in a lease container that its user created. Several processors can share one:
// every id begins with the processor's name.

import type { Container, ItemDefinition, JSONValue, RequestOptions } from '@azure/cosmos'
import type { Body } from '../../../model/json/json.ts'
import type { Key } from '../../../model/keys/key.ts'
import { ConflictError, SetupError } from '../../store-errors.ts'
import type { LeaseStore, StoredDocument, Write } from '../../store.ts'
import { bodyOf } from '../documents.ts'
import { openReadMany, type ReadItems } from '../read-many/open-read-many.ts'
import type { Item } from '../read-many/items.ts'
import { ServiceClock } from '../request/service-clock.ts'

export class LeaseContainer implements Omit<LeaseStore, 'feedParts'> {
  readonly #container: Container
  readonly #processor: string
  readonly #readItems: ReadItems
  readonly #clock: ServiceClock

  constructor(container: Container, processor: string, readItems: ReadItems, clock: ServiceClock) {
    this.#container = container
    this.#processor = processor
    this.#readItems = readItems
    this.#clock = clock
  }

  readMany: LeaseStore['readMany'] = async (_container, keys) => {
    const found = await this.#readItems(keys.map((key) => ({ id: this.#idOf(key), partitionKey: this.#idOf(key) })))
    return found.map((each) => {
      if (each.status === 'failed') throw each.error
      return each.status === 'found' ? this.#documentOf(each.item) : undefined
    })
  }

  /** The documents of a type. There are as many as instances, so one query finds all of them. */
  query: LeaseStore['query'] = async ({ type }) => {
    const { resources } = await this.#container.items.query<Item>({
      query: 'SELECT * FROM c WHERE c["type"] = @type AND c["processor"] = @processor',
      parameters: [{ name: '@type', value: type! }, { name: '@processor', value: this.#processor }],
    }, { maxItemCount: 1000 }).fetchAll()
    return resources.map((item) => this.#documentOf(item))
  }

  /** One after the other: leases of a processor are never written together. */
  write: LeaseStore['write'] = async (writes) => {
    const etags: string[] = []
    for (const write of writes) etags.push(await this.#writeOne(write))
    return etags
  }

  now: LeaseStore['now'] = async () => this.#clock.moment

  async #writeOne(write: Write): Promise<string> {
    const sentAt = this.#clock.now()
    try {
      const { etag, headers } = await this.#send(write)
      this.#clock.observe(headers['date'] as string | undefined, sentAt)
      return write.kind === 'delete' ? '' : etag
    } catch (error) {
      const { code, substatus } = error as { code?: unknown; substatus?: unknown }
      // It is not the lease that was not found.
      if (code === 404 && substatus) throw error
      if (code === 404 && write.kind === 'delete') return ''
      if (code === 404 || code === 409 || code === 412) throw new ConflictError(this.#container.id, write.key, code === 404 ? 'absent' : code === 409 ? 'present' : 'changed')
      throw error
    }
  }

  #send(write: Write) {
    const item = this.#container.item(this.#idOf(write.key), this.#idOf(write.key))
    const ifMatch: RequestOptions = typeof write.only === 'object' ? { accessCondition: { type: 'IfMatch', condition: write.only.ifMatch } } : {}
    if (write.kind === 'delete') return item.delete(ifMatch)
    const body = this.#itemOf(write.key, write.body)
    if (write.only === undefined) return this.#container.items.upsert(body)
    return write.only === 'if-absent' ? this.#container.items.create(body) : item.replace(body, ifMatch)
  }

  #itemOf(key: Key, body: Body): ItemDefinition & Record<string, JSONValue> {
    return { ...(body as Record<string, JSONValue>), processor: this.#processor, id: this.#idOf(key) }
  }

  #documentOf(item: Item): StoredDocument {
    const id = item.id.slice(this.#processor.length + 1)
    return { key: { partition: [item.id], id }, etag: item._etag, body: bodyOf(item), bytes: 0 }
  }

  #idOf({ id }: Pick<Key, 'id'>): string {
    return `${this.#processor}.${id}`
  }
}

export async function openLeaseContainer(container: Container, processor: string): Promise<LeaseContainer> {
  const where = `The lease container "${container.id}"`
  const clock = new ServiceClock()
  const sentAt = clock.now()
  const { headers, resource } = await container.read().catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 404) throw error
    throw new SetupError(`${where} does not exist in the database "${container.database.id}". Create it with the partition key /id.`)
  })
  clock.observe(headers['date'] as string | undefined, sentAt)
  const { paths } = resource!.partitionKey!
  if (!/^\/(id|"id")$/.test(paths.join())) throw new SetupError(`${where} has the partition key ${paths.join(', ')}, and leases need /id. Create a container for them with the partition key /id.`)
  return new LeaseContainer(container, processor, await openReadMany(container), clock)
}
