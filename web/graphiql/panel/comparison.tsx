// Three ways to answer the same operation, side by side. Where a number comes from is part of it: the
// naive one is worked out, the batched one measured, the chosen one is this run.

import type { Cost } from '../../../src/store/cost-model.ts'
import type { CostReport } from '../../../src/observe/cost-report.ts'
import type { Batched } from '../runs.ts'
import { figure } from './words.ts'

export function Comparison({ account, batched }: { account: CostReport; batched: Batched }) {
  const measured = 'made' in batched ? batched.made : undefined
  const ways = [
    { name: 'naive', cost: account.naive },
    { name: 'batched', cost: measured },
    { name: 'chosen', cost: account.made },
  ] as const
  return (
    <section className="rt-section" aria-labelledby="rt-comparison">
      <h3 id="rt-comparison">Three ways</h3>
      <Bars title="Round trips" ways={ways} of={(cost) => cost.roundTrips} waiting={batched.state === 'running'} />
      <Bars title={account.estimated ? 'Request charge, estimated' : 'Request charge'} ways={ways} of={(cost) => cost.requestCharge} waiting={batched.state === 'running'} />
      <p className="rt-note">
        <b>Naive</b> is worked out from what was read: one read per reference, no copies. <b>Batched</b> {origin(batched)} <b>Chosen</b> is this run.
      </p>
    </section>
  )
}

interface BarsProps {
  readonly title: string
  readonly ways: readonly { readonly name: string; readonly cost: Cost | undefined }[]
  readonly of: (cost: Cost) => number
  readonly waiting: boolean
}

function Bars({ title, ways, of, waiting }: BarsProps) {
  const longest = Math.max(...ways.map(({ cost }) => (cost ? of(cost) : 0)), 1)
  return (
    <table className="rt-bars">
      <caption>{title}</caption>
      <tbody>
        {ways.map(({ name, cost }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="rt-track">{cost && <span className={`rt-bar ${name}`} style={{ width: `${(100 * of(cost)) / longest}%` }} />}</td>
            <td className="rt-value">{cost ? figure(of(cost)) : waiting ? '…' : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function origin(batched: Batched) {
  switch (batched.state) {
    case 'running':
      return 'is being measured: it runs again without copies.'
    case 'measured':
      return <>was measured just now: the same operation with <code>@read(from: REFERENCE)</code>.</>
    case 'same':
      return 'is this very run: it used no copy.'
    case 'not run':
      return `was not measured: ${batched.because}.`
  }
}
