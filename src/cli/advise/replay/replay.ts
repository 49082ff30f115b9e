// Replays a workload through a real gateway over a memory store, filled with the sample as one schema stores it, and
// takes the costs from the cost reports.

import type { DocumentNode } from 'graphql'
import { fill } from '../sample/fill-store.ts'
import { nothing, plus, times, type Rate } from '../pricing/rate.ts'
import { replayItems, type Run } from './replay-items.ts'
import type { Sample } from '../sample/sample.ts'
import { readDeclaration } from '../../../relations/declaration.ts'
import { refusingResolvers } from '../../../execute/check-resolvers.ts'
import { servedSchema } from '../../../plan/explain/explain.ts'
import { createGateway } from '../../../gateway.ts'
import { noBudget } from '../../../plan/cost/budget.ts'
import { noLimits } from '../../../http/limits/request-limits.ts'
import type { Derive } from '../../../relations/kind.ts'
import { openMemoryStore } from '../../../store/memory/memory-store.ts'
import { Recorder } from '../../../observe/workload/recorder.ts'
import { Tally } from '../../../observe/workload/tally.ts'
import { hoursOf, type Workload } from '../../../observe/workload/workload.ts'
import { measureOperation } from '../../report/measure-operation.ts'

export interface ReplayOptions {
  readonly typeDefs: DocumentNode
  readonly derive: Derive
  readonly sample: Sample
  readonly workload: Workload
}

export interface Replayed {
  /** The cost of the workload per hour. */
  readonly rate: Rate
  /** A recording of the replay itself. */
  readonly record: Workload
  readonly updates: readonly Update[]
  /** The number of operations sent, and the errors of those that failed. */
  readonly sent: number
  readonly failed: readonly string[]
  readonly leftOut: readonly string[]
}

/** An updated document, and the number of recorded updates it stands for. */
export interface Update {
  readonly type: string
  readonly id: string
  readonly changed: readonly string[]
  readonly times: number
}

export async function replay({ typeDefs, derive, sample, workload }: ReplayOptions): Promise<Replayed> {
  const declaration = readDeclaration(typeDefs, derive)
  const store = await openMemoryStore(declaration.layout)
  await fill(store, declaration, sample)
  const record = new Recorder()
  const gateway = await createGateway({ typeDefs, derive, resolvers: refusingResolvers(declaration), store: async () => store, openReads: true, openWrites: true, limits: noLimits, budget: noBudget, cursorSecret: 'replay', record })
  const { items, leftOut } = replayItems({ workload, declaration, schema: servedSchema(declaration), sample })
  const tally = new Tally()
  const updates: Update[] = []
  const failed: string[] = []
  let rate = nothing
  let sent = 0
  for (const item of items) {
    const weight = item.times / item.runs.length
    for (const run of item.runs) {
      const took = await send(run)
      rate = plus(rate, times(took, weight))
      if (run.updates) updates.push({ ...run.updates, times: weight })
      tally.add(record.take(), weight)
    }
  }
  await gateway.dispose()
  const { runs, startedAt, endedAt, recordedMs } = workload
  return { rate: times(rate, 1 / hoursOf(workload)), record: tally.workload({ runs, startedAt, endedAt, recordedMs }), updates, sent, failed: [...new Set(failed)], leftOut }

  async function send({ before, sent: operation }: Run): Promise<Rate> {
    if (before) {
      await measureOperation(gateway, before)
      record.take()
    }
    sent++
    const { cost, errors } = await measureOperation(gateway, operation)
    failed.push(...errors)
    return cost ?? nothing
  }
}
