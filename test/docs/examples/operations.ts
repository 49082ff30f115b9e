// Runs the operations of one page, in the order of the page, on one gateway: what one writes, the next reads.

import { Kind, parse } from 'graphql'
import { openTestGateway, type TestAnswer, type TestGateway } from '../../../src/entries/testing.ts'
import type { Fence } from './fences.ts'

export interface PageOperations {
  /** Sends an operation with its variables and headers. */
  readonly run: (operation: Fence, given: { readonly variables?: Fence | undefined; readonly headers?: Fence | undefined }) => Promise<TestAnswer>
  readonly close: () => Promise<void>
}

/** `folder` is the schema folder of the page. Blocks with the word "production" are asked of a second gateway, in that profile. */
export function openOperations(folder = 'schema/library'): PageOperations {
  const gateways = new Map<boolean, Promise<TestGateway>>()
  const opened = (development: boolean): Promise<TestGateway> => {
    const known = gateways.get(development) ?? openTestGateway({ folder, development, openReads: true, openWrites: true, cursorSecret: 'docs' })
    gateways.set(development, known)
    return known
  }
  let last: TestAnswer | undefined
  return {
    async run({ text, words }, { variables, headers }) {
      const gateway = await opened(!words.includes('production'))
      last = await gateway.ask(text, {
        ...(variables ? { variables: filled(variables, (name) => valueIn(last?.data, answered[name] ?? name)) as object } : {}),
        ...(headers ? { headers: filled(headers, (name) => last?.headers.get(name)) as Record<string, string> } : {}),
      })
      return last
    },
    async close() {
      for (const gateway of gateways.values()) await (await gateway).close()
    },
  }
}

/** Whether a block has operations, rather than SDL. */
export function hasOperations({ text }: Fence): boolean {
  return parse(text).definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)
}

/** Variables that have another name than the field whose value they take. */
const answered: Readonly<Record<string, string>> = { after: 'endCursor', before: 'startCursor', ifMatch: 'etag' }

/** The JSON of a block, with what "…" stands for. */
function filled({ text, page, line }: Fence, valueOf: (name: string) => unknown): unknown {
  return JSON.parse(text, (name, value: unknown) => {
    if (value !== '…') return value
    const known = valueOf(name)
    if (known === undefined || known === null) throw new Error(`${page}:${line}: the last answer has no value for ${name}.`)
    return known
  }) as unknown
}

function valueIn(data: unknown, name: string): unknown {
  if (typeof data !== 'object' || data === null) return undefined
  const own = (data as Record<string, unknown>)[name]
  return own ?? Object.values(data).map((value) => valueIn(value, name)).find((value) => value !== undefined)
}
