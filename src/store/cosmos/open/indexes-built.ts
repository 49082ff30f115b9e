// A container with documents builds a new index in the background, and until it is built the service refuses the orders that need it.

import type { Container, ContainerResponse } from '@azure/cosmos'
import { SetupError } from '../../store-errors.ts'
import { backOff } from '../request/back-off.ts'

/** About a minute, at most. Documents in their millions take longer, and a start that fails says how far it has come. */
const maxReads = 60

const progressHeader = 'x-ms-documentdb-collection-index-transformation-progress'

/** Waits until all indexes of a container can be used, by this gateway or by whichever changed them. */
export async function indexesBuilt(container: Container): Promise<void> {
  for (let reads = 1; ; reads++) {
    const percent = percentBuilt(await container.read({ populateQuotaInfo: true }))
    if (percent >= 100) return
    if (reads === maxReads) {
      throw new SetupError(`The container "${container.id}" is building its indexes (${percent} %), and orders that need them are refused until then. Start again later; gateways without the new indexes go on.`)
    }
    await backOff(reads, undefined)
  }
}

/** A service that does not tell builds none. */
export function percentBuilt({ headers }: Pick<ContainerResponse, 'headers'>): number {
  const percent = Number(headers[progressHeader] ?? 100)
  return percent >= 0 ? percent : 100
}
