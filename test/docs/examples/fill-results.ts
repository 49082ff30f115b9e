// Writes the answers of a page's operations into its `json result` blocks, for `npm run docs`. Where a block has "…", it stays.

import { jsonText } from '../json-text.ts'
import { readFences } from './fences.ts'
import { openOperations } from './operations.ts'
import { createProjects, removeProjects, schemaFolderOf } from './projects.ts'
import { shownAnswer } from './results.ts'
import { isResult, stepsOf } from './steps.ts'

export async function fillResults(page: string, text: string): Promise<string> {
  const fences = readFences(page)
  if (!fences.some(isResult)) return text
  const root = createProjects(fences)
  const operations = openOperations(schemaFolderOf(root, fences))
  let filled = text
  try {
    for (const step of stepsOf(fences)) {
      const answer = await operations.run(step.operation, step)
      if (!step.result) continue
      const shown = step.result.text.trim() === '' ? undefined : (JSON.parse(step.result.text) as unknown)
      filled = filled.replace(resultBlock(step.result.text.replace(/^\n$/, '')), () => resultBlock(`${jsonText(shownAnswer(answer, shown))}\n`))
    }
  } finally {
    await operations.close()
    removeProjects(root)
  }
  return filled
}

function resultBlock(body: string): string {
  return `\`\`\`json result\n${body}\`\`\``
}
