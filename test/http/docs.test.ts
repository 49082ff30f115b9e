// The tables in the documentation name every limit, load limit and error code of the source, with the same numbers.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorCodes, type CodeFacts } from '../../src/errors.ts'
import { limitTable } from '../../src/http/limits/request-limits.ts'
import { loadLimitTable } from '../../src/http/limits/load-limits.ts'

test('docs/production.md lists the limits with their defaults', () => {
  const rows = rowsOf('docs/production.md').filter(([name]) => Object.hasOwn(limitTable, name!))
  expect(Object.fromEntries(rows.map(([name, usual]) => [name, Number(usual!.replaceAll(',', ''))]))).toEqual(Object.fromEntries(Object.entries(limitTable).map(([name, limit]) => [name, limit.default])))
})

test('docs/settings.md lists the load limits with their variables and defaults', () => {
  const rows = new Map(rowsOf('docs/settings.md').map((cells) => [cells[0], cells]))
  for (const { setting, variable, default: usual } of Object.values(loadLimitTable)) {
    const [, documentedVariable, , documentedDefault] = rows.get(setting)!
    expect(documentedVariable).toBe(variable)
    expect(documentedDefault).toMatch(usual === undefined ? /no limit/ : new RegExp(`^${usual}\\b`))
  }
})

test('docs/mutate.md lists the error codes with their status and Retry-After', () => {
  const rows = rowsOf('docs/mutate.md').filter(([code]) => /^[A-Z_]+$/.test(code!))
  expect(rows.map(([code]) => code)).toEqual(Object.keys(errorCodes))
  for (const [code, documented] of rows) {
    const { status, retryAfterSeconds }: CodeFacts = errorCodes[code as keyof typeof errorCodes]
    if (status !== undefined) expect(documented).toMatch(new RegExp(`^${status}\\b`))
    if (retryAfterSeconds !== undefined) expect(documented).toContain(`Retry-After: ${retryAfterSeconds}`)
  }
})

/** The cells of every table row, without backticks. */
function rowsOf(file: string): string[][] {
  return readFileSync(file, 'utf8').split('\n').filter((line) => line.startsWith('| ')).map((line) => line.slice(1).split('|').map((cell) => cell.trim().replaceAll('`', '')))
}
