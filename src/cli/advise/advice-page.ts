// Advice as an HTML page: for each relation the line to write, the reason, and a chart of both alternatives.

import { html, type Html } from '../../site/html.ts'
import type { ProvedAdvice, ProvedRelation } from './prove-advice.ts'
import { amount, breakEvenText, costModelNote, notesOf, percent, rateText, verdict } from './advice-text.ts'
import { barChart, type Bar } from '../report/bar-chart.ts'
import { reportPage } from '../report/report-page.ts'

export function advicePage(advice: ProvedAdvice): string {
  const { hours, now, relations, remarks, outgrowing, recorded, replayed } = advice
  return reportPage('Embed or reference?', html`
<p>Recorded: ${amount(hours)} hours with ${amount(recorded.made.operations)} operations, on average ${rateText(now)} per hour. All figures are per hour.
Each relation was priced embedded and referenced by the cost model, and replayed both ways: ${amount(replayed.sent)} operations on ${amount(replayed.documents)} documents.</p>
${relations.map(section)}
${listed('Other relations', remarks.map(({ field, sentence }) => `${field}: ${sentence}`))}
${listed('Lists that outgrow their document', outgrowing.map(({ field, sentence }) => `${field}: ${sentence}`))}
${listed('Notes', [...notesOf(advice), costModelNote])}`)
}

function section(relation: ProvedRelation): Html {
  const { field, advised, referenced, embedded, saves, change, proof } = relation
  return html`<section><h2>${field}: ${verdict(relation)}</h2>
${change ? html`<pre>${advised.line}</pre><p>Saves ${percent(saves)} of all RU.</p>` : ''}
${embedded ? html`<p>Break-even: ${breakEvenText(relation)}.</p>` : ''}
${barChart('RU per hour, predicted for the whole workload', [bar('referenced', referenced.rate.requestCharge), ...(embedded ? [bar('embedded', embedded.rate.requestCharge)] : [])])}
${barChart('round trips per hour, predicted for the whole workload', [bar('referenced', referenced.rate.roundTrips), ...(embedded ? [bar('embedded', embedded.rate.roundTrips)] : [])])}
${proof ? barChart('RU per hour, replayed', [
  bar('as declared', proof.declared.requestCharge), bar(proof.way, proof.measured.requestCharge), bar('predicted', proof.predicted.requestCharge),
]) : ''}
</section>`
}

function listed(title: string, sentences: readonly string[]): Html | string {
  return sentences.length === 0 ? '' : html`<section><h2>${title}</h2><ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`
}

function bar(label: string, value: number): Bar {
  return { label, value, text: amount(value) }
}
