// The figures of docs/scaling.md: what docs/benchmarks.md has measured, with the command of each, and what follows from it for ten
// million documents. A new measurement updates both.

import { readFileSync } from 'node:fs'
import { figureIn, type Cell } from './sizing.ts'

interface Measured extends Cell {
  readonly says: string
  readonly suite: string
}

const measured = {
  small: { says: 'One book by its id, of 1,000 documents: requests a second', suite: 'growth', section: 'Growth: one book by its id', row: '1,000', column: 'requests/s' },
  large: { says: 'The same, of 1,000,000 documents', suite: 'growth', section: 'Growth: one book by its id', row: '1,000,000', column: 'requests/s' },
  levels: { says: 'Three levels from a page of ten, of 1,000,000 documents: requests a second, times those of 1,000', suite: 'growth', section: 'Growth: three levels from one page of 10', row: '1,000,000', column: 'times 1,000 documents' },
  mix: { says: 'Twenty operations in turn, one worker: requests a second', suite: 'workers', section: 'Workers: Twenty operations in turn, with a token', row: '1', column: 'requests/s' },
  mixOfTwo: { says: 'The same, two workers: times one', suite: 'workers', section: 'Workers: Twenty operations in turn, with a token', row: '2', column: 'times one' },
  written: { says: 'The same with 1 % writes, one worker: requests a second', suite: 'workers', section: 'Workers: The twenty operations and 1 % writes', row: '1', column: 'requests/s' },
  writtenOfTwo: { says: 'The same with 1 % writes, two workers: times one', suite: 'workers', section: 'Workers: The twenty operations and 1 % writes', row: '2', column: 'times one' },
  writes: { says: 'Durable writes of one document by 32 clients: a second', suite: 'writes', section: 'Writes: createPublisher', row: 'Quire, 32 clients', column: 'writes/s' },
  effects: { says: 'Durable writes of a book with two authors by 32 clients: a second', suite: 'writes', section: 'Writes: publishBook, with two authors', row: 'Quire, 32 clients', column: 'writes/s' },
  pointCpu: { says: 'One book by its id from Cosmos DB: processor time of the gateway in µs', suite: 'cosmos', section: 'point: one book by its id, requests to Cosmos DB take 5 ms', row: 'Quire, log', column: 'server CPU µs' },
  pointRu: { says: 'The same: RU', suite: 'cosmos', section: 'point: one book by its id, requests to Cosmos DB take 5 ms', row: 'Quire, log', column: 'RU' },
  pageCpu: { says: 'Fifty books with their authors from snapshots on Cosmos DB: processor time of the gateway in µs', suite: 'cosmos', section: 'A: fifty books with their authors, from snapshots, requests to Cosmos DB take 5 ms', row: 'Quire, log', column: 'server CPU µs' },
  pageRu: { says: 'The same: RU', suite: 'cosmos', section: 'A: fifty books with their authors, from snapshots, requests to Cosmos DB take 5 ms', row: 'Quire, log', column: 'RU' },
} satisfies Record<string, Measured>

/** Of a physical partition of Cosmos DB: limits of the service. */
const partition = { ruPerSecond: 10_000, gigabytes: 50 }

const documents = 10_000_000
const [bytesInFile, bytesInContainer] = [770, 1000]

export function scalePart(part: string): string | undefined {
  const page = readFileSync('docs/benchmarks.md', 'utf8')
  if (part === 'measured') return table(['what', 'figure', 'measured by'], Object.values(measured).map((cell) => [cell.says, figureIn(page, cell), `\`npm run bench -- ${cell.suite}\``]))
  return part === 'calculated' ? table(['what', 'how much', 'because'], calculated((name) => Number.parseFloat(figureIn(page, measured[name]).replaceAll(',', '')))) : undefined
}

function calculated(of: (name: keyof typeof measured) => number): string[][] {
  const gigabytes = (documents * bytesInContainer) / 1e9
  return [
    ['One file: size', `${((documents * bytesInFile) / 1e9).toFixed(1)} GB`, '10,000,000 × 0.77 kB'],
    ['One file: a read by key, beside that of a file with 1,000 documents', `${(of('small') / of('large')).toFixed(2)} times the time`, 'measured at 1,000,000; ten times as many make the index at most one level deeper'],
    ['One file: all documents written once', hours(documents / of('writes')), `10,000,000 ÷ ${whole(of('writes'))} a second; an [import](import.md) commits in batches`],
    ['One file: new books with their effects', `${whole((of('effects') * 86_400) / 1e6)} million a day`, `${whole(of('effects'))} a second; more workers do not raise it, since one writer at a time commits`],
    ['One gateway, one core: mixed reads', `${whole((of('mix') * 86_400) / 1e6)} million a day`, `${whole(of('mix'))} a second`],
    ['Two workers: mixed reads', `${whole(of('mix') * of('mixOfTwo'))} a second`, `${whole(of('mix'))} × ${of('mixOfTwo').toFixed(2)}`],
    ['Two workers: with 1 % writes', `${whole(of('written') * of('writtenOfTwo'))} a second`, `${whole(of('written'))} × ${of('writtenOfTwo').toFixed(2)}; a write by one costs the others some of their caches`],
    ['One Cosmos DB container: size', `${whole(gigabytes)} GB, ${Math.ceil(gigabytes / partition.gigabytes)} physical partition`, `10,000,000 × 1 kB, at most ${partition.gigabytes} GB each`],
    ['One physical partition: reads by key', `${whole(partition.ruPerSecond / of('pointRu'))} a second`, `${whole(partition.ruPerSecond)} RU a second ÷ ${of('pointRu')} RU`],
    ['One physical partition: pages of fifty from snapshots', `${whole(partition.ruPerSecond / of('pageRu'))} a second`, `${whole(partition.ruPerSecond)} RU a second ÷ ${of('pageRu')} RU`],
    ['One gateway, one core, on Cosmos DB: reads by key', `${whole(1e6 / of('pointCpu'))} a second`, `1 s ÷ ${of('pointCpu')} µs: as much as ${((1e6 / of('pointCpu')) * of('pointRu') / partition.ruPerSecond).toFixed(1)} physical partitions can serve`],
    ['One gateway, one core, on Cosmos DB: pages of fifty', `${whole(1e6 / of('pageCpu'))} a second`, `1 s ÷ ${whole(of('pageCpu'))} µs: as much as ${((1e6 / of('pageCpu')) * of('pageRu') / partition.ruPerSecond).toFixed(1)} physical partitions can serve`],
  ]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ['---', '---:', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en')
}

function hours(seconds: number): string {
  return `${(seconds / 3600).toFixed(1)} hours`
}
