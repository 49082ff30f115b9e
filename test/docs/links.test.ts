// What documents point at is there: files, and headings in them. Settings that they name are settings.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const documents = ['README.md', ...globSync('{docs,examples,src,package}/**/*.md', { exclude: ['**/node_modules/**'] })].toSorted()

test.each(documents)('%s links to nothing that is not there', (file) => {
  const links = [...withoutCode(readFileSync(file, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!).filter((link) => !/^https?:/.test(link))
  const broken = links.filter((link) => {
    const [path, heading] = link.split('#')
    const target = path === '' ? file : normalize(join(dirname(file), path!))
    return !existsSync(target) || (heading !== undefined && !headingsOf(target).has(heading))
  })
  expect(broken).toEqual([])
})

test('docs/README.md lists every page', () => {
  const listed = new Set([...readFileSync('docs/README.md', 'utf8').matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\): ./gm)].map(([, page]) => `docs/${page}`))
  expect([...listed].toSorted()).toEqual(globSync('docs/*.md').filter((page) => page !== 'docs/README.md').toSorted())
})

test.each([...documents, 'Dockerfile'])('%s names no setting that is not read', (file) => {
  const read = globSync('{src,test/cosmos}/**/*.ts').map((source) => readFileSync(source, 'utf8')).join('\n')
  const named = new Set(readFileSync(file, 'utf8').match(/\b(QUIRE|COSMOS)_[A-Z]+\b/g))
  expect([...named].filter((name) => !read.includes(name))).toEqual([])
})

/** As GitHub makes them of headings. */
function headingsOf(file: string): Set<string> {
  const headings = withoutCode(readFileSync(file, 'utf8')).match(/^#+ .+$/gm) ?? []
  return new Set(headings.map((heading) => heading.replace(/^#+ /, '').toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')))
}

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
}
