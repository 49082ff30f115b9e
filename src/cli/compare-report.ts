// A comparison as one HTML page: the questions, their answers in sentences, and a chart of each number.
// Everything is in the file: it asks for nothing, and runs nothing.

import { html, Html } from '../site/html.ts'
import { barChart } from './bar-chart.ts'
import type { Comparison, Measured, Question } from './compare-run.ts'
import { answerTo } from './compare-sentences.ts'

export function comparisonReport(comparison: Comparison): string {
  const { size, questions, variants } = comparison
  const title = `One data set, stored in ${variants.length} ways`
  return html`${new Html('<!doctype html>')}
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${new Html(style)}</style>
<main>
<h1>${title}</h1>
<p>The same data at size ${size}, the same operations, and a store in memory for each declaration: ${variants.map(({ name }) => name).join(', ')}.
Round trips and waves are those that a gateway made. Charges are estimates by the cost model.</p>
${questions.map((question) => section(question, comparison))}
<section><h2>What is stored?</h2>
${barChart('kilobytes', variants.map(({ name, bytes }) => bar(name, Math.round(bytes / 1024))))}
${barChart('documents', variants.map(({ name, documents }) => bar(name, documents)))}
</section>
<section><h2>All numbers</h2>
<table><thead><tr><th scope="col">operation</th>${variants.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${questions.map(({ operation }) => html`<tr><th scope="row">${operation}</th>${variants.map(({ costs }) => html`<td>${cellOf(costs[operation]!)}</td>`)}</tr>`)}</tbody></table>
<p>Round trips · waves · request charge · documents written.</p></section>
</main>
</html>
`.text
}

function section(question: Question, comparison: Comparison): Html {
  const { variants } = comparison
  const chart = (title: string, value: (cost: Measured) => number) =>
    barChart(title, variants.map(({ name, costs }) => bar(name, value(costs[question.operation]!))))
  const writes = variants.some(({ costs }) => costs[question.operation]!.written > 0)
  return html`<section><h2>${question.question}</h2><p>${answerTo(question, comparison)}</p>
${chart('request charge', ({ requestCharge }) => requestCharge)}
${chart('round trips', ({ roundTrips }) => roundTrips)}
${writes ? chart('documents written', ({ written }) => written) : ''}
</section>`
}

function bar(label: string, value: number) {
  return { label, value, text: value.toLocaleString('en-US') }
}

function cellOf({ roundTrips, waves, requestCharge, written }: Measured): string {
  return `${roundTrips} · ${waves} · ${requestCharge} · ${written}`
}

const style = `
:root { color-scheme: light dark; --paper: #fdfcfa; --ink: #23211e; --soft: #6a665f; --rule: #dedad2;
  --c0: #b5492f; --c1: #2f6f8f; --c2: #7a8b2c; --c3: #8a5aa3; --c4: #b08a1e; --c5: #4a7f6a }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1a18; --ink: #ece8e1; --soft: #a8a297; --rule: #3a3733;
  --c0: #e07a5f; --c1: #6fb1d1; --c2: #b3c45a; --c3: #bf93d6; --c4: #dcb84f; --c5: #7fb8a1 } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { font-size: 1.8rem; line-height: 1.2 } h2 { font-size: 1.15rem; margin: 2.5rem 0 .3rem }
figure { margin: .8rem 0 } figcaption { color: var(--soft); font-size: .85rem }
svg { width: 100%; height: auto; display: block } svg text { font-size: 13px; fill: var(--ink) } svg .value { fill: var(--soft) }
.bar0 { fill: var(--c0) } .bar1 { fill: var(--c1) } .bar2 { fill: var(--c2) } .bar3 { fill: var(--c3) } .bar4 { fill: var(--c4) } .bar5 { fill: var(--c5) }
table { border-collapse: collapse; width: 100%; font-size: .85rem; font-variant-numeric: tabular-nums; display: block; overflow-x: auto }
th, td { text-align: left; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--rule) }
`
