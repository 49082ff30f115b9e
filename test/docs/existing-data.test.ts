// The files of docs/existing-data.md give the schema that the page shows.

import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { inferFrom } from '../../src/cli/init/init-from.ts'
import { readFences } from './examples/fences.ts'
import { createProjects, projectOf, removeProjects } from './examples/projects.ts'

const page = 'docs/existing-data.md'
const fences = readFences(page)
const root = createProjects(fences)
afterAll(() => removeProjects(root))

test('the schema is the one that is written from the files', async () => {
  const folder = projectOf(root, page)
  const inferred = await inferFrom(join(folder, 'shop'), { from: join(folder, 'data') }, {})
  await inferred.close()
  const { sdl, summary } = inferred
  const shown = fences.find(({ language }) => language === 'graphql')
  // The first comment names the folder.
  expect(shown!.text.trim()).toBe(sdl.slice(sdl.indexOf('\n\n')).trim())
  expect(summary[0]).toBe('Read 5 documents of 2 containers.')
})
