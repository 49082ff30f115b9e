// What the operations of a pattern cost, each on a store that has just been filled: as Quire does it, and
// really the naive way. Written documents are counted, and what is refused is told.

import type { Cost } from '../../src/store/cost-model.ts'
import type { CostReport } from '../../src/observe/cost-report.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import type { Strategy } from '../../src/read/loader.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import type { Pattern, PatternOperation } from './patterns.ts'
import { post } from '../over-http.ts'

export interface Measured {
  readonly operation: PatternOperation
  readonly made: Cost
  readonly naive: Cost
  readonly written: number
  /** What the client is told, where it is refused. */
  readonly refused: string | undefined
}

export async function measure({ folder, operations }: Pattern, store: GatewayOptions['store']): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const operation of operations) {
    const made = await run(folder, operation, store, 'batched')
    const naive = await run(folder, operation, store, 'naive')
    measured.push({
      operation,
      made: made.report.made,
      naive: naive.report.made,
      written: made.report.calls.filter(({ operation: kind }) => kind === 'write').reduce((sum, { keys }) => sum + keys, 0),
      refused: made.refused,
    })
  }
  return measured
}

async function run(folder: string, { name, text }: PatternOperation, store: GatewayOptions['store'], strategy: Strategy): Promise<{ report: CostReport; refused: string | undefined }> {
  const gateway = await createGateway({
    ...(await readSchemaFolder(folder)), store, strategy, openWrites: true, cursorSecret: 'guide',
    // Where copies follow, nobody carries them while something is measured.
    propagates: false, freshness: () => ({ boundMs: 0, watermark: Infinity }),
  })
  try {
    const response = await post(gateway, { query: text, operationName: name }, { 'quire-trace': '1' })
    const { errors, extensions } = (await response.json()) as { errors?: readonly { message: string }[]; extensions?: { quire: CostReport } }
    if (!extensions) throw new Error(`${folder}: ${name} has no report: ${JSON.stringify(errors)}`)
    return { report: extensions.quire, refused: errors?.map(({ message }) => message).join(' ') }
  } finally {
    await gateway.dispose()
  }
}
