// The gateways that random operations are sent to: several for each domain, over one store, which
// differ in how they read. The tests say what they must agree on.

import { readDeclaration } from '../../src/relations/declaration.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { derive } from '../../schema/library/derive.ts'
import { resolvers } from '../../schema/library/resolvers.ts'
import { sampleDocuments } from '../library/sample-documents.ts'
import { noLimits } from '../../src/http/limits/request-limits.ts'
import { readSdl, readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import type { Store } from '../../src/store/store.ts'
import { openGateway, type Ask } from '../harness.ts'
import { drifted } from './drifted-store.ts'
import { everyKind } from './every-kind.ts'
import { operationsOver, type OperationsOver } from './operations-over.ts'
import { pageSize } from './random-arguments.ts'

export type Domain = Omit<GatewayOptions, 'store'>

export const domains: { readonly [name: string]: Domain } = {
  'the shipped library': { typeDefs: readSdlFolder('schema/library'), derive, resolvers, seed: ({ model }) => sampleDocuments(model) },
  'every kind of relation': everyKind,
}

/** The max age of snapshots in an aged gateway. */
export const boundMs = 5000

export interface Gateways extends OperationsOver {
  readonly chosen: Ask
  readonly naive: Ask
  /** The same two, with snapshots that may be `boundMs` old. */
  readonly aged: Ask
  readonly agedNaive: Ask
  /** Like `aged`, with wrong snapshots. */
  readonly drifted: Ask
}

/** Over one store, because etags are different in every other one. Random operations may be as long as they like. */
export async function openGateways(domain: Domain, openStore: GatewayOptions['store']): Promise<Gateways> {
  let store: Promise<Store> | undefined
  const options: GatewayOptions = { ...domain, store: (layout) => (store ??= openStore(layout)), pageSizes: { default: pageSize }, limits: noLimits }
  const aged: GatewayOptions = { ...options, freshness: () => ({ boundMs, watermark: Date.now() }) }
  const declaration = readDeclaration(typeof domain.typeDefs === 'string' ? readSdl(domain.typeDefs) : domain.typeDefs, domain.derive)
  return {
    ...(await operationsOver(domain)),
    chosen: await openGateway(options),
    naive: await openGateway({ ...options, strategy: 'naive' }),
    aged: await openGateway(aged),
    agedNaive: await openGateway({ ...aged, strategy: 'naive' }),
    drifted: await openGateway({ ...aged, store: async (layout) => drifted(await options.store(layout), declaration) }),
  }
}
