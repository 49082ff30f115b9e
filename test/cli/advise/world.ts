// Workloads for tests of advice: documents in a memory store, and operations sent to a recorded gateway over it.

import { advise, type Advice } from '../../../src/cli/advise/pricing/advice.ts'
import { DocumentStatistics } from '../../../src/cli/advise/sample/document-statistics.ts'
import { sampleOf } from '../../../src/cli/advise/sample/sample.ts'
import { proveAdvice, type ProvedAdvice } from '../../../src/cli/advise/prove-advice.ts'
import { measureOperation } from '../../../src/cli/report/measure-operation.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { createGateway } from '../../../src/gateway.ts'
import { readSdl } from '../../../src/model/sdl/read-sdl.ts'
import { openMemoryStore } from '../../../src/store/memory/memory-store.ts'
import { Recorder } from '../../../src/observe/workload/recorder.ts'
import { Tally } from '../../../src/observe/workload/tally.ts'
import type { Workload } from '../../../src/observe/workload/workload.ts'
import { Writer } from '../../../src/write/writer.ts'

export type Inputs = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

export interface World {
  /** Sends operations and answers with their recording, as if each had been sent `times` times within so many hours. */
  readonly record: (hours: number, operations: readonly string[], times?: number) => Promise<Workload>
  /** Priced and replayed. */
  readonly prove: (workload: Workload, sample?: number) => Promise<ProvedAdvice>
  /** Priced alone. */
  readonly price: (workload: Workload) => Promise<Advice>
}

export async function openWorld(sdl: string, inputs: Inputs): Promise<World> {
  const typeDefs = readSdl(sdl)
  const declaration = readDeclaration(typeDefs)
  const store = await openMemoryStore(declaration.layout)
  await new Writer(declaration, store).write(async (change) => {
    for (const [type, all] of Object.entries(inputs)) for (const input of all) await change.create(type, input)
    return {}
  })
  return {
    async record(hours, operations, times = 1) {
      const record = new Recorder()
      const gateway = await createGateway({ typeDefs, store: async () => store, openReads: true, openWrites: true, cursorSecret: 'tests', record })
      for (const query of operations) {
        const { errors } = await measureOperation(gateway, { query })
        if (errors.length > 0) throw new Error(`${query}: ${errors.join(' ')}`)
      }
      const recorded = record.workload()
      return new Tally().add(recorded, times).workload({ ...recorded, recordedMs: hours * 3_600_000 })
    },
    prove: (workload, sample = 5000) => proveAdvice({ workload, typeDefs, derive: {}, declaration, store, sample }),
    price: async (workload) => advise({ workload, typeDefs, declaration, derive: {}, statistics: new DocumentStatistics(await sampleOf(store, declaration, 5000), declaration.model) }).advice,
  }
}

export function relation<R extends { readonly field: string }>({ relations }: { readonly relations: readonly R[] }, field: string): R {
  return relations.find((one) => one.field === field)!
}

export function repeated(times: number, operation: (number: number) => string): string[] {
  return numbers(times).map(operation)
}

export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
