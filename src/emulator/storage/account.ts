// The account: databases, their containers and offers, by name. Every part of the server finds things here.

import type { ContainerDefinition } from './definition.ts'
import { completed, Container } from './container.ts'
import { Refusal } from '../http-messages.ts'
import { containerRid, databaseRid, ridText } from './resource-id.ts'

export interface Database {
  readonly id: string
  readonly rid: Buffer
  readonly self: string
  readonly containers: Map<string, Container>
}

export interface Offer {
  readonly id: string
  /** The _self and _rid of the database or container that it is for. */
  readonly resource: string
  readonly resourceRid: string
  content: object
}

export class Account {
  readonly databases = new Map<string, Database>()
  readonly offers = new Map<string, Offer>()
  /** What the account says of itself otherwise than usual. */
  readonly properties: object
  private readonly partitions: (container: string) => number
  private readonly now: () => number
  private nextOrdinal = 1

  constructor(options: { partitions: number | ((container: string) => number); now: () => number; properties?: object }) {
    const { partitions } = options
    this.partitions = typeof partitions === 'number' ? () => partitions : partitions
    this.now = options.now
    this.properties = options.properties ?? {}
  }

  createDatabase(id: string): Database {
    if (this.databases.has(id)) throw new Refusal(409, `The database '${id}' exists already.`)
    const rid = databaseRid(this.nextOrdinal++)
    const database = { id, rid, self: `dbs/${ridText(rid)}/`, containers: new Map() }
    this.databases.set(id, database)
    return database
  }

  createContainer(database: Database, definition: ContainerDefinition & { id: string }): Container {
    if (database.containers.has(definition.id)) throw new Refusal(409, `The container '${definition.id}' exists already.`)
    const container = new Container(completed(definition), {
      database: database.id,
      databaseSelf: database.self,
      rid: containerRid(database.rid, this.nextOrdinal++),
      partitions: this.partitions(definition.id),
      now: this.now,
    })
    database.containers.set(definition.id, container)
    return container
  }

  createOffer(resource: string, resourceRid: string, content: object): void {
    const id = `offer${this.nextOrdinal++}`
    this.offers.set(id, { id, resource, resourceRid, content })
  }

  database(id: string): Database {
    const database = this.databases.get(id)
    if (database === undefined) throw new Refusal(404, `The database '${id}' does not exist.`)
    return database
  }

  container(databaseId: string, id: string): Container {
    const container = this.database(databaseId).containers.get(id)
    if (container === undefined) throw new Refusal(404, `The container '${id}' does not exist.`)
    return container
  }
}
