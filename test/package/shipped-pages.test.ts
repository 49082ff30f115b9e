// What becomes of links in the pages of the package.

import { expect, test } from 'vitest'
import { shippedPage } from '../../package/shipped-pages.ts'

const shipped = new Set(['docs/query.md', 'schema/library'])

test.each([
  ['a page', 'See [queries](query.md#filters) and [the top](#top).', 'See [queries](query.md#filters) and [the top](#top).'],
  ['a file of the package', '[schema/library](../schema/library)', '[schema/library](../schema/library)'],
  ['another site', '[Yoga](https://the-guild.dev/graphql/yoga-server)', '[Yoga](https://the-guild.dev/graphql/yoga-server)'],
  ['a file of the repository, by its name', '[express.ts](../examples/servers/express.ts)', '`examples/servers/express.ts`'],
  ['a file of the repository, by other words', 'the [cost model](../src/store/cost-model.ts#L5)', 'the cost model (`src/store/cost-model.ts`)'],
  ['a picture of the repository', '![throughput](../bench/results/throughput.svg)', 'throughput (`bench/results/throughput.svg`)'],
  ['a fence', '```md\n[a](../b.ts)\n```\n[a](../b.ts)', '```md\n[a](../b.ts)\n```\na (`b.ts`)'],
])('%s', (_, page, expected) => {
  expect(shippedPage('docs/page.md', page, (path) => shipped.has(path))).toBe(expected)
})
