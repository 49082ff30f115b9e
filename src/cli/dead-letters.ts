// `quire dead-letters`: lists the changes that could not be propagated, with the reasons; `--retry` tries them again.

import { randomUUID } from 'node:crypto'
import type { Key } from '../model/keys/key.ts'
import { listDeadLetters } from '../feed/dead-letters.ts'
import { Propagator } from '../feed/propagator.ts'
import type { CliCommand } from './command/command.ts'
import { printError } from './command/print-error.ts'
import { withStored } from './command/open-stored.ts'

export const command: CliCommand = {
  settings: ['schema', 'store'],
  options: { '--retry': 'try them once more', '--json': 'print one JSON object for each' },
  help: `
Where snapshots follow through the change feed, a change that fails every time is set aside as a dead letter, so
that the feed can continue. Once you have removed the cause, retry it.

Exits with 0 when there are none (any more), with 1 when there are some, with 2 when it cannot run.

Example:
  $ quire dead-letters            lists them
  $ quire dead-letters --retry    tries them once more, and lists those that failed again`,
  run: ({ retry = false, json = false }: Partial<DeadLettersCommand>) => runDeadLetters({ retry, json }),
}

export interface DeadLettersCommand {
  readonly retry: boolean
  readonly json: boolean
}

/** Returns the exit code. */
export async function runDeadLetters({ retry, json }: DeadLettersCommand): Promise<number> {
  try {
    return await withStored(process.env, async ({ declaration, store }) => {
      if (retry) await new Propagator(declaration, store, { owner: randomUUID() }).retryDeadLetters()
      const letters = await listDeadLetters(store)
      for (const { body } of letters) {
        const { container, key, reason, at } = body as unknown as { container: string; key: Key; reason: string; at: number }
        const tenant = declaration.tenants ? { tenant: key.partition[0] } : {}
        console.log(json ? JSON.stringify({ container, ...tenant, id: key.id, reason, at }) : `${declaration.tenants ? `tenant ${JSON.stringify(tenant.tenant)}: ` : ''}${container}/${key.id} (${new Date(at).toISOString()}): ${reason}`)
      }
      if (!json) console.log(letters.length === 0 ? 'There are no dead letters.' : `${letters.length} ${letters.length === 1 ? 'change' : 'changes'} could not be propagated.${retry ? '' : ' "quire dead-letters --retry" tries again.'}`)
      return Number(letters.length > 0)
    })
  } catch (error) {
    return printError(error)
  }
}
