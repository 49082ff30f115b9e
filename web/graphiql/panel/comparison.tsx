// Compares three strategies for the same operation, and says where each number comes from: naive is calculated, batched is
// measured, chosen is this run.

import type { Cost } from '../../../src/store/cost-model.ts'
import type { CostReport } from '../../../src/observe/cost-report.ts'
import type { Batched } from '../runs.ts'
import { figure } from './format.ts'

export function Comparison({ costReport, batched }: { costReport: CostReport; batched: Batched }) {
  const measured = 'made' in batched ? batched.made : undefined
  const strategies = [
    { name: 'naive', cost: costReport.naive },
    { name: 'batched', cost: measured },
    { name: 'chosen', cost: costReport.made },
  ] as const
  return (
    <section className="rt-section" aria-labelledby="rt-comparison">
      <h3 id="rt-comparison">Comparison</h3>
      <Bars title="Round trips" strategies={strategies} of={(cost) => cost.roundTrips} waiting={batched.state === 'running'} />
      <Bars title={costReport.estimated ? 'RU, estimated' : 'RU'} strategies={strategies} of={(cost) => cost.requestCharge} waiting={batched.state === 'running'} />
      <p className="rt-note">
        <b>Naive</b> is calculated: one read per reference, no snapshots. <b>Batched</b> {origin(batched)} <b>Chosen</b> is this run.
      </p>
    </section>
  )
}

interface BarsProps {
  readonly title: string
  readonly strategies: readonly { readonly name: string; readonly cost: Cost | undefined }[]
  readonly of: (cost: Cost) => number
  readonly waiting: boolean
}

function Bars({ title, strategies, of, waiting }: BarsProps) {
  const longest = Math.max(...strategies.map(({ cost }) => (cost ? of(cost) : 0)), 1)
  return (
    <table className="rt-bars">
      <caption>{title}</caption>
      <tbody>
        {strategies.map(({ name, cost }) => (
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
      return 'is being measured: the operation runs again without snapshots.'
    case 'measured':
      return <>is measured: the same operation with <code>@read(from: REFERENCE)</code>.</>
    case 'same':
      return 'is this run: it used no snapshots.'
    case 'not run':
      return `was not measured: ${batched.because}.`
  }
}
