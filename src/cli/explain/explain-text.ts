// An explained operation as lines of text, and as JSON.

import type { OperationDefinitionNode } from 'graphql'
import { batchCost, keysOf, type Expected } from '../../plan/explain/expected.ts'
import type { Explained } from '../../plan/explain/explain.ts'
import type { Known } from '../../plan/explain/assumptions.ts'
import { readsOf, type ExplainedNode, type ExplainedRead } from '../../plan/explain/explained-node.ts'
import { none } from '../../plan/explain/range.ts'
import { timingsOf, defaultWave, type Timing } from '../../plan/explain/waves.ts'
import type { Range } from '../../read/planned-reads.ts'
import { partitionPaths } from '../../model/partition-key.ts'
import { hundredths } from '../../store/cost-model.ts'

type Timings = ReadonlyMap<ExplainedRead, Timing>

export function explainedLines(explained: Explained, operation: OperationDefinitionNode): string[] {
  const { expected, naive, known, writes } = explained
  const title = `${operation.operation} ${operation.name?.value ?? ''}`.trim()
  return [
    title,
    ...explained.series.flatMap((nodes) => treeLines(nodes, '', timingsOf(readsOf(nodes), known), known)),
    '',
    `expected  ${costLine(expected)}`,
    `naive     ${costLine(naive)}`,
    '',
    ...notes(explained, writes).map((note) => `· ${note}`),
  ]
}

export function explainedJson({ series, expected, naive, known, writes }: Explained, operation: OperationDefinitionNode) {
  return {
    operation: { kind: operation.operation, name: operation.name?.value ?? null },
    places: series.flatMap((nodes) => nodesJson(nodes, timingsOf(readsOf(nodes), known), known)),
    writes,
    expected,
    naive,
    estimated: true,
    assumed: notes({ series, expected, naive, known, writes }, writes),
  }
}

function nodesJson(nodes: readonly ExplainedNode[], timings: Timings, known: Known): object[] {
  return nodes.map(({ field, path, choice, holders, rows, reads, children }) => ({
    field,
    path,
    from: choice?.from ?? null,
    because: choice?.because ?? null,
    holders,
    rows,
    calls: reads.map((read) => ({
      call: callOf(read),
      container: read.asked.container,
      wave: defaultWave(timings.get(read)!),
      waves: [...timings.get(read)!.asked].toSorted((one, other) => one - other),
      keys: keysOf(read, known),
      requestCharge: hundredths(batchCost([read], known).requestCharge),
    })),
    relations: nodesJson(children, timings, known),
  }))
}

function treeLines(nodes: readonly ExplainedNode[], indent: string, timings: Timings, known: Known): string[] {
  return nodes.flatMap((node, index) => {
    const last = index === nodes.length - 1
    const inner = `${indent}${last ? '   ' : '│  '}`
    const { path, field, choice, reads, children } = node
    const way = choice === undefined ? '' : choice.from === 'SNAPSHOT' ? `: snapshot, ${choice.because}` : `: lookup, ${choice.because}`
    return [
      `${indent}${last ? '└─ ' : '├─ '}${path}  ${field}${way}`,
      ...reads.map((read) => `${inner}${children.length > 0 ? '│ ' : '  '}${callLine(read, timings.get(read)!, known)}`),
      ...(reads.length === 0 && choice?.from === 'REFERENCE' ? [`${inner}${children.length > 0 ? '│ ' : '  '}no read: it is in the document`] : []),
      ...treeLines(children, inner, timings, known),
    ]
  })
}

function callLine(read: ExplainedRead, timing: Timing, known: Known): string {
  const keys = keysOf(read, known)
  const { by, container, documents } = read.asked
  const what = by === 'key' ? `${amount(keys)} ${noun(keys, 'document')}`
    : by === 'page' ? `${amount(documents)} ${noun(documents, 'document')}${read.asked.path ? ` for each of ${amount(keys)} ${noun(keys, 'holder')}` : ''}`
    : by === 'aggregate' ? `${amount(documents)} ${noun(documents, 'group')}${read.asked.path ? ` for each of ${amount(keys)} ${noun(keys, 'holder')}` : ''}`
    : read.asked.path ? `for ${amount(keys)} ${noun(keys, 'holder')}` : 'one number'
  const { requestCharge } = batchCost([read], known)
  return `wave ${defaultWave(timing)}: ${callOf(read)} in ${container}, ${what}, about ${amountOf(hundredths(requestCharge))} RU`
}

/** How the store is asked. */
function callOf({ asked: { by, selection, type, path } }: ExplainedRead): string {
  if (by === 'count' || by === 'aggregate') return by
  if (!selection) return 'point reads by key'
  if (selection.partition) return 'single-partition query'
  if (selection.among) return `query over ${selection.among.length} partitions`
  const key = type ? partitionPaths(type.partitionKey) : []
  const within = path && key.length === 1 && key[0]!.join('/') === path.join('/')
  return within ? 'single-partition query' : 'query over partitions'
}

function costLine({ roundTrips, waves, requestCharge }: Expected): string {
  return `${amount(roundTrips)} ${noun(roundTrips, 'round trip')} in ${amount(waves)} ${noun(waves, 'wave')}, about ${amount(requestCharge)} RU`
}

function notes({ expected: { waves }, known }: Explained, writes: readonly string[]): string[] {
  return [
    ...(writes.length > 0 ? [`The reads and writes of ${writes.join(', ')} come first and are not counted: the effects of a write depend on the data. The plan is for the answer.`] : []),
    ...(waves.least < waves.most ? ['The larger numbers are for full lists. Below an empty list, or one whose documents have been read already, nothing is read.'] : []),
    ...known.assumed,
    ...(known.scattered ? ['Round trips and waves are those of requests that need not be sent again, and RU are estimates by the cost model.'] : ['Round trips, waves and RU are those of one physical partition, and RU are estimates by the cost model.']),
  ]
}

function amount({ least, most }: Range = none): string {
  return least === most ? amountOf(most) : `${amountOf(least)} to ${amountOf(most)}`
}

function amountOf(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 })
}

function noun({ most }: Range, one: string): string {
  return most === 1 ? one : `${one}s`
}
