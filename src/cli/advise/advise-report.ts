// Advice as one HTML page: for each relation what to write, why, and a chart of both ways.

import { html, type Html } from '../../site/html.ts'
import type { ProvedAdvice, ProvedRelation } from './advise-run.ts'
import { amount, breakEvenText, notesOf, percent, rateText, verdict } from './advise-text.ts'
import { barChart, type Bar } from '../report/bar-chart.ts'
import { reportPage } from '../report/report-page.ts'

export function adviceReport(advice: ProvedAdvice): string {
  const { hours, now, relations, remarks, outgrowing, recorded, replayed } = advice
  return reportPage('Embed or reference?', html`
<p>From ${amount(hours)} recorded hours with ${amount(recorded.made.operations)} operations. An hour of them is ${rateText(now)}, and so is every figure here.
Each relation was priced both ways by the cost model, and replayed both ways: ${amount(replayed.sent)} operations over ${amount(replayed.documents)} documents.</p>
${relations.map(section)}
${listed('Other relations', remarks.map(({ field, sentence }) => `${field}: ${sentence}`))}
${listed('Outgrowing a document', outgrowing.map(({ field, sentence }) => `${field}: ${sentence}`))}
${listed('Notes', [...notesOf(advice), 'Charges are those of the cost model, with copies written together with what they copy.'])}`)
}

function section(relation: ProvedRelation): Html {
  const { field, advised, referenced, embedded, saves, change, proof } = relation
  return html`<section><h2>${field}: ${verdict(relation)}</h2>
${change ? html`<pre>${advised.line}</pre><p>Saves ${percent(saves)} of the charge.</p>` : ''}
${embedded ? html`<p>The answer flips ${breakEvenText(relation)}.</p>` : ''}
${barChart('request charge, priced', [bar('referenced', referenced.rate.requestCharge), ...(embedded ? [bar('embedded', embedded.rate.requestCharge)] : [])])}
${barChart('round trips, priced', [bar('referenced', referenced.rate.roundTrips), ...(embedded ? [bar('embedded', embedded.rate.roundTrips)] : [])])}
${proof ? barChart('request charge, replayed', [
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
