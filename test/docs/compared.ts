// The guide's questions, answered by `quire compare`: the cheapest and the most expensive schema for each operation,
// and how many reads per write make a snapshot worthwhile.

import { runComparison, type Comparison, type OperationCost } from '../../src/cli/compare/run-comparison.ts'
import { answerTo } from '../../src/cli/compare/comparison-text.ts'

let running: Promise<Comparison> | undefined

/** At the usual size, once for all parts of a document. */
function compared(): Promise<Comparison> {
  return (running ??= runComparison('examples/compare', 500))
}

export async function questionsTable(): Promise<string> {
  const comparison = await compared()
  const rows = comparison.questions.map((question) => `| ${question.question} | ${answerTo(question, comparison)} |`)
  return ['| question | answer |', '|---|---|', ...rows].join('\n')
}

interface Copy {
  readonly copied: string
  /** With copies, and without. */
  readonly ways: readonly [string, string]
  /** Whom copies make cheaper, and whom dearer. */
  readonly read: string
  readonly write: string
}

const copies: readonly Copy[] = [
  { copied: 'what a list of books shows of its authors', ways: ['hybrid', 'arrays'], read: 'ListPage', write: 'Rename' },
  { copied: 'the price of a stock, in every portfolio that holds it', ways: ['embedded', 'arrays'], read: 'Holdings', write: 'PriceChange' },
]

/** What one read saves and one write costs more, and so how many reads one write takes. */
export async function breakEvenTable(): Promise<string> {
  const { variants } = await compared()
  const costs = (way: string, operation: string): OperationCost => variants.find(({ name }) => name === way)!.costs[operation]!
  const rows = copies.map(({ copied, ways: [copying, pointing], read, write }) => {
    const saved = costs(pointing, read).requestCharge - costs(copying, read).requestCharge
    const added = costs(copying, write).requestCharge - costs(pointing, write).requestCharge
    const written = costs(copying, write).written
    return `| ${copied} | ${read}: ${rounded(saved)} | ${write}: ${rounded(added)}, ${written.toLocaleString('en-US')} documents | ${Math.ceil(added / saved).toLocaleString('en-US')} |`
  })
  return ['| copied | a read saves | a write costs more | reads for each write, from which copying is cheaper |', '|---|---|---|---|', ...rows].join('\n')
}

function rounded(charge: number): string {
  return `${charge.toLocaleString('en-US', { maximumFractionDigits: 2 })} RU`
}
