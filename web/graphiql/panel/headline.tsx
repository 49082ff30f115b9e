// The first thing to see: how many round trips there were, and how many there could have been.

import type { CostReport } from '../../../src/observe/cost-report.ts'
import { counted, figure, milliseconds } from './words.ts'

export function Headline({ account }: { account: CostReport }) {
  const { made, naive, saved, estimated, staleness } = account
  return (
    <section className="rt-headline" aria-label="Summary" role="status">
      <div className="rt-figures">
        <p className="rt-big">
          <strong>{figure(made.roundTrips)}</strong>
          <span>
            <span className="rt-what">{made.roundTrips === 1 ? 'round trip' : 'round trips'}</span>{' '}
            <span className="rt-instead">{naive.roundTrips > made.roundTrips ? <>instead of <b>{figure(naive.roundTrips)}</b></> : 'same as naive'}</span>
          </span>
        </p>
        <p className="rt-charge">
          <span><strong>{figure(made.requestCharge)}</strong> request charge</span>
          {naive.requestCharge > made.requestCharge && <span>instead of <b>{figure(naive.requestCharge)}</b></span>}
          {estimated && <span className="rt-estimated" title="The store does not report charges: they follow from a documented cost model.">estimated</span>}
        </p>
      </div>
      <ul className="rt-facts">
        <li>{counted(made.waves, 'wave')}{naive.waves > made.waves && ` instead of ${figure(naive.waves)}`}</li>
        {saved.bySnapshots > 0 && <li>{counted(saved.bySnapshots, 'round trip')} saved by copies</li>}
        {saved.byBatching > 0 && <li>{figure(saved.byBatching)} saved by batching</li>}
        {saved.bySnapshots > 0 && <li>{staleness.boundMs === 0 ? 'copies are current' : `copies at most ${milliseconds(staleness.boundMs)} old`}</li>}
      </ul>
    </section>
  )
}
