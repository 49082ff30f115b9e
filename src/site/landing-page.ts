// The landing page: what Quire is, the totals since start, and the storage map. The last two are for operators, so they are
// shown only if pages are open.

import type { StoredState } from '../observe/stored-state.ts'
import type { StorageMap } from './map/storage-map.ts'
import { html, type Html } from './html.ts'
import { legend, mapInWords, mapSvg } from './map/map-svg.ts'
import type { Example } from './first-operation.ts'
import { framed, type Frame } from './page-layout.ts'

interface Inside {
  readonly map: StorageMap | undefined
  /** An operation to try in GraphiQL. */
  readonly example: Example | undefined
  /** What is to be told about the stored documents. */
  readonly stored?: StoredState | undefined
}

export function landingPage(frame: Frame, { map, example, stored }: Inside): string {
  return framed(frame, 'Quire', html`
    <div class="opening">
    <header class="hero">
      <h1>Every relation is a snapshot or a reference. <em>Quire knows which.</em></h1>
      <p class="lead">A GraphQL gateway over a document database. The schema declares how each relation is stored. Quire answers from
        snapshots (copies that it keeps in sync) if they cover the selection, batches lookups if they do not, and reports for
        each answer what it cost and what it saved.</p>
      <p class="actions">
        ${frame.graphiql ? html`<a class="button" href="/graphql">Open GraphiQL</a>` : ''}
        <a class="${frame.graphiql ? 'button quiet' : 'button'}" href="/docs">Documentation</a>
      </p>
    </header>
    ${example ? exampleCard(example) : ''}
    </div>
    ${stored ? storedSection(stored) : ''}
    ${map ? html`${numbersSection()}${mapSection(map)}` : hiddenSection()}`)
}

function exampleCard({ title, text }: Example): Html {
  return html`<figure class="example"><pre tabindex="0" aria-label="An operation">${text.trim()}</pre>
    <figcaption><span>${title}</span> <a href="/graphql?${new URLSearchParams({ query: text }).toString()}">Run it in GraphiQL and see what it costs</a></figcaption></figure>`
}

/** In the terminal and in the log there are the same lines. */
function storedSection({ catchUp, differences }: StoredState): Html {
  return html`
    <section aria-labelledby="stored-title">
      <h2 id="stored-title">Stored documents</h2>
      ${differences.length > 0 ? html`<p>The saved schema is not served, because the stored documents do not fit it. The last one that fits is.</p>
      <ul>${differences.map((line) => html`<li>${line}</li>`)}</ul>
      <p>Change the schema back, or run <code>quire migrate</code> to see what the documents need.</p>` : ''}
      ${catchUp ? html`<p>Some documents lack what the schema declares since. It is looked up meanwhile: <b data-number="catchUp.documents">${catchUp.documents}</b> of
        <b data-number="catchUp.total">${catchUp.total}</b> documents have been looked at.</p>` : ''}
    </section>`
}

function numbersSection(): Html {
  return html`
    <section aria-labelledby="numbers-title" data-numbers="/numbers">
      <div class="section-head"><h2 id="numbers-title">Since the gateway started</h2><p class="note" data-since></p></div>
      <div class="tiles">
        ${tile('Requests answered', 'requests', html`<span data-number="failed">–</span> with errors`)}
        ${tile('Round trips made', 'made.roundTrips', html`instead of <b data-number="naive.roundTrips">–</b>`)}
        ${tile('Round trips saved', 'saved.roundTrips', html`<span data-share>–</span> of what naive execution makes`)}
        ${tile('RU used', 'made.requestCharge', html`instead of <b data-number="naive.requestCharge">–</b><span data-estimated hidden>, estimated</span>`)}
        ${tile('Cache memory', 'caches.kilobytes', html`compiled operations, rows, documents`, ' kB')}
        ${tile('Max age of snapshots', 'copies.boundMs', html`<span data-lag>–</span>`, ' ms')}
      </div>
      <p class="note" data-honesty>Round trips and RU are those of the <b data-number="traced">–</b> requests that were traced: in development all except
        those with <code>quire-trace: 0</code>, in production only those with <code>quire-trace: 1</code>.</p>
    </section>`
}

function tile(label: string, number: string, more: Html, unit = ''): Html {
  return html`<div class="tile"><h3>${label}</h3><p class="figure"><span data-number="${number}">–</span>${unit}</p><p class="note">${more}</p></div>`
}

function mapSection(map: StorageMap): Html {
  return html`
    <section aria-labelledby="map-title">
      <div class="section-head"><h2 id="map-title">Storage map</h2><p class="note">Each box is a document type with its container and partition key.</p></div>
      <div class="map-frame" tabindex="0" role="group" aria-label="Storage map">${mapSvg(map)}</div>
      ${legend(map)}
      <details><summary>As text</summary>${mapInWords(map)}</details>
    </section>`
}

function hiddenSection(): Html {
  return html`
    <section aria-labelledby="hidden-title">
      <h2 id="hidden-title">Hidden in production</h2>
      <p>This gateway runs in production: GraphiQL is off, and visitors do not see the storage map and the totals. The operator
        can show these two with <code>QUIRE_PAGES=open</code>.</p>
    </section>`
}
