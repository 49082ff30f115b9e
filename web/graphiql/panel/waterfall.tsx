// Every store call on the clock of the operation, grouped by wave, with its duration, RU and relations.

import { useState } from 'react'
import type { CostReport } from '../../../src/observe/cost-report.ts'
import { plural, figure, milliseconds } from './format.ts'

type Call = CostReport['calls'][number]

/** A naive run makes hundreds of calls, so only the first are shown at first. */
const firstCalls = 40

export function Waterfall({ calls, oneByOne }: Pick<CostReport, 'calls' | 'oneByOne'>) {
  const [all, setAll] = useState(false)
  const endMs = Math.max(...calls.map(({ startMs, durationMs }) => startMs + durationMs), 0.01)
  const shown = all ? calls : calls.slice(0, firstCalls)
  const waves = [...Map.groupBy(shown, ({ wave }) => wave)]
  return (
    <section className="rt-section" aria-labelledby="rt-waterfall">
      <h3 id="rt-waterfall">Store calls <span className="rt-aside">{milliseconds(endMs)} in total</span></h3>
      {oneByOne.map(({ field, reads }) => (
        <p key={field} className="rt-note rt-one-by-one"><code>{field}</code> read {plural(reads, 'document')} one after the other. <code>quire.loadMany</code> reads them together.</p>
      ))}
      {calls.length === 0 && <p className="rt-note">None: nothing was read.</p>}
      <ol className="rt-waves">
        {waves.map(([wave, inWave]) => (
          <li key={wave}>
            <h4>Wave {wave}</h4>
            <ol className="rt-calls">{inWave.map((call, index) => <CallRow key={index} call={call} endMs={endMs} />)}</ol>
          </li>
        ))}
      </ol>
      {calls.length > shown.length && <button type="button" className="rt-button" onClick={() => setAll(true)}>Show all {figure(calls.length)} calls</button>}
    </section>
  )
}

function CallRow({ call, endMs }: { call: Call; endMs: number }) {
  const left = Math.min((100 * call.startMs) / endMs, 99)
  return (
    <li className="rt-call">
      <div className="rt-call-head">
        <span><b>{call.operation}</b> <code>{call.container}</code></span>
        <span className="rt-time">{milliseconds(call.durationMs)}</span>
      </div>
      <div className="rt-track" title={`from ${milliseconds(call.startMs)}, for ${milliseconds(call.durationMs)}`}>
        <span className="rt-bar call" style={{ marginLeft: `${left}%`, width: `${Math.min((100 * call.durationMs) / endMs, 100 - left)}%` }} />
      </div>
      <p className="rt-note">
        from {milliseconds(call.startMs)} · {call.keys > 0 && <>{plural(call.keys, 'key')} · </>}{plural(call.documents, 'document')} · {figure(call.requestCharge)} RU
        <br />for {call.for.join(', ')}
      </p>
    </li>
  )
}
