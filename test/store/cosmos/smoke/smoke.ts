// `npm run smoke:cosmos`: the checks on the account that COSMOS_ENDPOINT and COSMOS_KEY name, as a table that can be pasted into an issue.

import { runChecks } from './run-checks.ts'

const { COSMOS_ENDPOINT: endpoint, COSMOS_KEY: key } = process.env
if (!endpoint || !key) {
  console.error('Set COSMOS_ENDPOINT and COSMOS_KEY to an Azure account or an emulator. The checks create a database, use about 2,500 RU, and delete it.')
  process.exit(2)
}
const outcomes = await runChecks({ endpoint, key })
console.log('| check | outcome | seen |\n|---|---|---|')
for (const { name, passed, note } of outcomes) console.log(`| ${name} | ${passed ? 'as expected' : 'OTHERWISE'} | ${note.replaceAll('|', '\\|')} |`)
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1
