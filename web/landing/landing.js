// Updates the totals and status lights of the landing page every few seconds while it is visible.

const everyMs = 2500
const section = document.querySelector('[data-numbers]')
const lights = [...document.querySelectorAll('a[data-status]')]

await refresh()
setInterval(() => {
  if (!document.hidden) void refresh()
}, everyMs)

async function refresh() {
  await Promise.all([...lights.map(light), ...(section ? [numbers(section)] : [])])
}

/** @param {Element} link */
async function light(link) {
  const answered = await fetch(link.getAttribute('href') ?? '').then(({ ok }) => ok, () => false)
  link.setAttribute('data-status', answered ? 'up' : 'down')
  link.setAttribute('title', answered ? 'OK' : 'no answer')
}

/** @param {Element} shown */
async function numbers(shown) {
  const since = shown.querySelector('[data-since]')
  try {
    /** @type {import('../../src/site/answer-totals.ts').NumbersReport} */
    const report = await (await fetch(shown.getAttribute('data-numbers') ?? '')).json()
    for (const place of document.querySelectorAll('[data-number]')) say(place, figure(report, place.getAttribute('data-number') ?? ''))
    const { saved, naive, copies, estimated } = report
    say(shown.querySelector('[data-share]'), naive.roundTrips === 0 ? '0 %' : `${Math.round((100 * saved.roundTrips) / naive.roundTrips)} %`)
    say(shown.querySelector('[data-lag]'), copies.boundMs === 0 ? 'updated in the same transaction' : copies.boundMs === null ? 'unknown: the change feed has not caught up' : 'updated through the change feed')
    shown.querySelector('[data-estimated]')?.toggleAttribute('hidden', !estimated)
    say(since, `Up since ${new Date(report.since).toLocaleString()}`)
  } catch {
    say(since, 'No answer from the gateway. These are the last numbers.')
  }
}

/**
 * The number behind a path such as `made.roundTrips`.
 * @param {unknown} report
 * @param {string} path
 */
function figure(report, path) {
  const value = path.split('.').reduce((/** @type {any} */ inside, name) => inside?.[name], report)
  return typeof value === 'number' ? value.toLocaleString(undefined, { maximumFractionDigits: 1 }) : '–'
}

/**
 * @param {Element | null} place
 * @param {string} text
 */
function say(place, text) {
  if (place && place.textContent !== text) place.textContent = text
}
