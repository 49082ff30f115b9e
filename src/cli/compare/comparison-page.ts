// A comparison as one HTML page: the questions, their answers in sentences, and a chart of each number.

import { html, type Html } from '../../site/html.ts'
import { barChart } from '../report/bar-chart.ts'
import type { Comparison, OperationCost, Question } from './run-comparison.ts'
import { answerTo } from './comparison-text.ts'
import { reportPage } from '../report/report-page.ts'

export function comparisonPage(comparison: Comparison): string {
  const { size, questions, variants } = comparison
  const title = `One data set, stored in ${variants.length} ways`
  return reportPage(title, html`<p>The same data at size ${size}, the same operations, and one memory store per schema: ${variants.map(({ name }) => name).join(', ')}.
Round trips and waves are measured; RU are estimates by the cost model.</p>
${questions.map((question) => section(question, comparison))}
<section><h2>Stored data</h2>
${barChart('kilobytes', variants.map(({ name, bytes }) => bar(name, Math.round(bytes / 1024))))}
${barChart('documents', variants.map(({ name, documents }) => bar(name, documents)))}
</section>
<section><h2>All numbers</h2>
<table><thead><tr><th scope="col">operation</th>${variants.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${questions.map(({ operation }) => html`<tr><th scope="row">${operation}</th>${variants.map(({ costs }) => html`<td>${cellOf(costs[operation]!)}</td>`)}</tr>`)}</tbody></table>
<p>Round trips · waves · RU · documents written.</p></section>`)
}

function section(question: Question, comparison: Comparison): Html {
  const { variants } = comparison
  const chart = (title: string, value: (cost: OperationCost) => number) =>
    barChart(title, variants.map(({ name, costs }) => bar(name, value(costs[question.operation]!))))
  const writes = variants.some(({ costs }) => costs[question.operation]!.written > 0)
  return html`<section><h2>${question.question}</h2><p>${answerTo(question, comparison)}</p>
${chart('RU', ({ requestCharge }) => requestCharge)}
${chart('round trips', ({ roundTrips }) => roundTrips)}
${writes ? chart('documents written', ({ written }) => written) : ''}
</section>`
}

function bar(label: string, value: number) {
  return { label, value, text: value.toLocaleString('en-US') }
}

function cellOf({ roundTrips, waves, requestCharge, written }: OperationCost): string {
  return `${roundTrips} · ${waves} · ${requestCharge} · ${written}`
}
