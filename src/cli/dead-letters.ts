// `quire dead-letters`: what could not be propagated, and why; with `--retry`, one more try.

import { randomUUID } from 'node:crypto'
import type { Key } from '../model/keys/key.ts'
import { listDeadLetters } from '../feed/dead-letters.ts'
import { Propagator } from '../feed/propagator.ts'
import { printError } from './print-error.ts'
import { openStored } from './open-stored.ts'

export interface DeadLettersCommand {
  readonly retry: boolean
  readonly json: boolean
}

/** Answers with the exit code. */
export async function runDeadLetters({ retry, json }: DeadLettersCommand): Promise<number> {
  try {
    const { declaration, store } = await openStored(process.env)
    try {
      if (retry) await new Propagator(declaration, store, { owner: randomUUID() }).retryDeadLetters()
      const letters = await listDeadLetters(store)
      for (const { body } of letters) {
        const { container, key, reason, at } = body as unknown as { container: string; key: Key; reason: string; at: number }
        const whose = declaration.tenants ? { tenant: key.partition[0] } : {}
        console.log(json ? JSON.stringify({ container, ...whose, id: key.id, reason, at }) : `${declaration.tenants ? `tenant ${JSON.stringify(whose.tenant)}: ` : ''}${container}/${key.id} (${new Date(at).toISOString()}): ${reason}`)
      }
      if (!json) console.log(letters.length === 0 ? 'There are no dead letters.' : `${letters.length} could not be propagated.${retry ? '' : ' "quire dead-letters --retry" tries them once more.'}`)
      return Number(letters.length > 0)
    } finally {
      await store.close()
    }
  } catch (error) {
    return printError(error)
  }
}
