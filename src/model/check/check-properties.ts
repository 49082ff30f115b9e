// Checks the names of the properties that fields are stored under. The names here are taken: by the database, by Quire, or by
// JavaScript.

import type { DocumentType, Field, Model } from '../model.ts'

/** What fills these properties of a document, on some store or on all. */
export const reservedProperties: Readonly<Record<string, string>> = {
  _rid: 'Cosmos DB keeps its own id of a document there',
  _self: 'Cosmos DB keeps the address of a document there',
  _etag: 'Cosmos DB keeps the version of a document there. Quire adds the field etag to every document type',
  _ts: 'Cosmos DB keeps the time of the last write there',
  _attachments: 'Cosmos DB keeps attachments there',
  _lsn: 'Cosmos DB numbers changes there',
  ttl: 'Cosmos DB deletes a document after that many seconds, where a container has a time to live',
  _v: 'Quire counts the writes of a document there',
  _c: 'Quire keeps the version of copied fields there',
  _left: 'Quire keeps removed references there',
  _gone: 'Quire marks deleted documents there',
  _sums: 'Quire keeps the sums behind averages there',
  _was: 'Quire keeps what a deleted document was there',
  _w: 'Quire marks its writes there',
  _intent: 'Quire keeps what a mutation over several partitions has yet to write there',
  _saga: 'Quire keeps which mutation over several partitions a document belongs to there',
}

/** Those that Quire writes itself. */
export const quireProperties: ReadonlySet<string> = new Set(['_v', '_c', '_left', '_gone', '_was', '_w', '_intent', '_saga'])

export function checkProperties(model: Model): string[] {
  return [...model.documents.values()].flatMap((type) => [...checkSyntheticKey(type), ...[...type.fields.values()].flatMap((field) => checkReserved(type, field))])
}

function checkSyntheticKey({ name, partitionKey: key }: DocumentType): string[] {
  if (key.form !== 'synthetic' || !Object.hasOwn(reservedProperties, key.at)) return []
  return [`${name}: its synthetic partition key is stored at "${key.at}", which is reserved: ${reservedProperties[key.at]}. Store it under another name, with at.`]
}

function checkReserved({ name: type }: DocumentType, { coordinate, name, storage }: Field): string[] {
  const at = 'at' in storage ? storage.at : undefined
  if (at !== undefined && Object.hasOwn(reservedProperties, at)) return [`${coordinate}: it is stored at "${at}", which is reserved: ${reservedProperties[at]}. ${at === name ? `Rename the field, or store` : 'Store'} it under another name, with at.`]
  // Snapshots have the names of fields.
  if (name === '_v') return [`${coordinate}: snapshots of a ${type} keep its version under this name. Rename the field.`]
  return []
}

/** JavaScript finds these names on every object, so a document without the property would seem to have it. */
export function checkNames({ coordinate, name, storage }: Field): string[] {
  const at = 'at' in storage ? storage.at : undefined
  if (name in Object.prototype) return [`${coordinate}: every JavaScript object has a property of this name. Rename the field.`]
  if (at !== undefined && at in Object.prototype) return [`${coordinate}: it is stored at "${at}", a property that every JavaScript object has. Store it under another name.`]
  // In paths, "*" stands for every element of a list.
  if (at === '*') return [`${coordinate}: it is stored at "*", which stands for every element of a list. Store it under another name.`]
  return []
}
