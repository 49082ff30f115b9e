// A store whose answers come late and out of order, as they do over a network. What it answers is
// what the store behind it does.

import type { GatewayOptions } from '../../src/gateway.ts'
import type { Store } from '../../src/store/store.ts'

/** Each call is answered after none to three turns of the event loop, so that later ones overtake earlier ones. */
export function late(open: GatewayOptions['store']): GatewayOptions['store'] {
  return async (layout) => {
    const store = await open(layout)
    let calls = 0
    return new Proxy(store, {
      get(_, name: keyof Store) {
        const property = store[name] as unknown
        // How many places a query reaches is known without asking.
        if (typeof property !== 'function' || name === 'reach') return property
        return async (...given: unknown[]) => {
          const answer: unknown = await property.apply(store, given)
          await turns(calls++ % 4)
          return answer
        }
      },
    })
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise<void>((resolve) => void setImmediate(resolve))
}
