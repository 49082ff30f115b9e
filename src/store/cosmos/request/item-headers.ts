// The headers of requests for documents, but for those of authorization.ts.

import type { KeyValue } from '../read-many/effective-key.ts'
import type { QueryPlace } from '../read-many/items.ts'

const everyRequest = {
  'x-ms-version': '2020-07-15',
  'x-ms-consistency-level': 'Session',
  // This client handles physical partitions that have been merged.
  'x-ms-cosmos-sdk-supportedcapabilities': '1',
  'cache-control': 'no-cache',
  'user-agent': 'quire',
  accept: 'application/json',
}

const everyQuery = {
  ...everyRequest,
  'content-type': 'application/query+json',
  'x-ms-documentdb-isquery': 'true',
  'x-ms-documentdb-query-enablecrosspartition': 'true',
  'x-ms-documentdb-responsecontinuationtokenlimitinkb': '1',
}

export type ItemHeaders = Record<string, string>

export function readHeaders(partitionKey: readonly KeyValue[]): ItemHeaders {
  return { ...everyRequest, 'x-ms-documentdb-partitionkey': keyText(partitionKey) }
}

export function queryHeaders(place: QueryPlace, pageSize: number): ItemHeaders {
  return { ...everyQuery, 'x-ms-max-item-count': String(pageSize), ...('physical' in place ? { 'x-ms-documentdb-partitionkeyrangeid': place.physical } : { 'x-ms-documentdb-partitionkey': keyText(place.partitionKey) }) }
}

/** Headers are ASCII. A document without a value has `{}` in its place. */
function keyText(values: readonly KeyValue[]): string {
  return JSON.stringify(values.map((value) => (value === undefined ? {} : value))).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
