// The search of the documentation. The index is loaded at the first search; nothing leaves the browser.

/** @typedef {import('../../src/site/docs-page.ts').IndexEntry} IndexEntry */

const maxFound = 12
const search = document.querySelector('.search')
const input = /** @type {HTMLInputElement | null} */ (document.querySelector('#search'))
const status = document.querySelector('#found')
const list = document.querySelector('.found')

/** @type {Promise<IndexEntry[]> | undefined} */
let index

if (search && input) {
  search.removeAttribute('hidden')
  input.addEventListener('focus', () => void load())
  input.addEventListener('input', () => void show(input.value))
  // Back from a page that was found: the browser has restored the words.
  if (input.value !== '') void show(input.value)
}

document.addEventListener('keydown', (event) => {
  const inSearch = search?.contains(document.activeElement) ?? false
  if (event.key === '/' && !inSearch && !event.ctrlKey && !event.metaKey) focus(event, input)
  if (!inSearch) return
  if (event.key === 'ArrowDown') focus(event, next(1))
  if (event.key === 'ArrowUp') focus(event, next(-1))
  if (event.key === 'Enter' && document.activeElement === input) focus(event, links()[0] ?? null)?.click()
  if (event.key === 'Escape' && input) {
    input.value = ''
    focus(event, input)
    void show('')
  }
})

/** @param {string} words */
async function show(words) {
  const wanted = wordsOf(words)
  const found = wanted.length === 0 ? [] : (await load()).map((entry) => ({ entry, score: scoreOf(entry, wanted) })).filter(({ score }) => score > 0).toSorted((one, other) => other.score - one.score)
  // The reader may have typed on while the index was loading.
  if (!input || !status || !list || input.value !== words) return
  status.textContent = wanted.length === 0 ? '' : found.length === 0 ? 'Nothing found.' : `${found.length} found${found.length > maxFound ? `, the best ${maxFound} below` : ''}.`
  list.replaceChildren(...found.slice(0, maxFound).map(({ entry }) => itemOf(entry, wanted)))
}

function load() {
  index ??= fetch(search?.getAttribute('data-index') ?? '').then((response) => response.json())
  return index
}

/**
 * Every word has to be there. Headings count most, then whole words in the text, then parts of words.
 * @param {IndexEntry} entry
 * @param {string[]} wanted
 */
function scoreOf({ title, heading, text }, wanted) {
  const [inTitle, inHeading, inText] = [title, heading, text].map((each) => each.toLowerCase())
  const scores = wanted.map((word) => (inHeading?.includes(word) ? (startsWord(inHeading, word) ? 40 : 20) : 0) + (inTitle?.includes(word) ? 15 : 0) + (inText?.includes(word) ? (isWord(inText, word) ? 10 : 4) : 0))
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) + (inHeading === wanted.join(' ') ? 40 : 0)
}

/**
 * @param {string} text
 * @param {string} word
 */
function startsWord(text, word) {
  return new RegExp(`(^|[^\\p{L}\\p{N}])${escaped(word)}`, 'u').test(text)
}

/**
 * @param {string} text
 * @param {string} word
 */
function isWord(text, word) {
  return new RegExp(`(^|[^\\p{L}\\p{N}])${escaped(word)}($|[^\\p{L}\\p{N}])`, 'u').test(text)
}

/** @param {string} word */
function escaped(word) {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** @param {string} text */
function wordsOf(text) {
  return text.toLowerCase().split(/\s+/).filter((word) => word !== '')
}

/**
 * @param {IndexEntry} entry
 * @param {string[]} wanted
 */
function itemOf({ page, title, id, heading, text }, wanted) {
  const link = document.createElement('a')
  link.href = `/docs/${page}${id === '' ? '' : `#${id}`}`
  const place = document.createElement('b')
  place.textContent = id === '' ? title : `${title}: ${heading}`
  const excerpt = document.createElement('span')
  excerpt.append(...marked(excerptOf(text, wanted), wanted))
  link.append(place, excerpt)
  const item = document.createElement('li')
  item.append(link)
  return item
}

/**
 * Some words around the first one that was found.
 * @param {string} text
 * @param {string[]} wanted
 */
function excerptOf(text, wanted) {
  const at = Math.max(0, ...wanted.map((word) => text.toLowerCase().indexOf(word)).filter((found) => found >= 0).toSorted((one, other) => one - other).slice(0, 1))
  const from = at < 60 ? 0 : text.indexOf(' ', at - 50) + 1
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 150)}${text.length > from + 150 ? ' …' : ''}`
}

/**
 * @param {string} text
 * @param {string[]} wanted
 */
function marked(text, wanted) {
  return text.split(new RegExp(`(${wanted.map(escaped).join('|')})`, 'iu')).map((part) => {
    if (!wanted.includes(part.toLowerCase())) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

function links() {
  return /** @type {HTMLAnchorElement[]} */ ([...(list?.querySelectorAll('a') ?? [])])
}

/**
 * The input, or a link below it.
 * @param {number} step
 */
function next(step) {
  const places = [input, ...links()]
  const at = places.findIndex((place) => place === document.activeElement)
  return places[Math.min(Math.max(at + step, 0), places.length - 1)] ?? null
}

/**
 * @template {HTMLElement} T
 * @param {Event} event
 * @param {T | null} element
 */
function focus(event, element) {
  event.preventDefault()
  element?.focus()
  return element
}
