// For each relation of the operation: snapshot or lookup, the reason, and a switch to try another mode. The switch writes
// `@read` into the operation and runs it again.

import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import type { CostReport } from '../../../src/observe/cost-report.ts'
import { readModeOf, setReadMode, type ReadMode } from '../read-directive.ts'
import type { Run } from '../runs.ts'
import { plural } from './format.ts'

type Relation = CostReport['relations'][number]

const modes: readonly { mode: ReadMode; label: string; meaning: string }[] = [
  { mode: 'AUTO', label: 'AUTO', meaning: 'The snapshot if it covers the selection and is fresh enough, otherwise a lookup' },
  { mode: 'REFERENCE', label: 'REFERENCE', meaning: 'Always a lookup: @read(from: REFERENCE)' },
  { mode: 'FRESH', label: 'maxStaleMs: 0', meaning: 'The snapshot only if it is proved current: @read(maxStaleMs: 0)' },
]

export function Relations({ run, relations }: { run: Run; relations: readonly Relation[] }) {
  const fields = [...Map.groupBy(relations, ({ field }) => field)]
  return (
    <section className="rt-section" aria-labelledby="rt-relations">
      <h3 id="rt-relations">Relations</h3>
      {fields.length === 0 && <p className="rt-note">This operation selects no relations.</p>}
      <ul className="rt-relations">
        {fields.map(([field, entries]) => (
          <li key={field} data-relation={field}>
            <h4><code>{field}</code></h4>
            {entries.map(({ from, because, resolved }) => (
              <p key={from + because} className="rt-why">
                <span className="rt-rows">{plural(resolved, 'row')}</span>
                <span className={`rt-way ${from.toLowerCase()}`}>{from === 'SNAPSHOT' ? 'snapshot' : 'lookup'}</span> {because}
              </p>
            ))}
            <Switch field={field} run={run} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Switch({ field, run }: { field: string; run: Run }) {
  const schema = useGraphiQL((state) => state.schema)
  const editor = useGraphiQL((state) => state.queryEditor)
  const actions = useGraphiQLActions()
  if (!schema || !editor) return null
  const current = readModeOf(run.text, schema, field, run.operationName)

  function change(mode: ReadMode): void {
    const changed = setReadMode(mode, editor!.getValue(), schema!, field, run.operationName)
    const model = editor!.getModel()
    if (changed === undefined || !model) return
    // One edit in the undo history.
    editor!.pushUndoStop()
    editor!.executeEdits('quire', [{ range: model.getFullModelRange(), text: changed }])
    editor!.pushUndoStop()
    actions.run()
  }

  return (
    <fieldset className="rt-switch">
      <legend>Read {field}</legend>
      {modes.map(({ mode, label, meaning }) => (
        <label key={mode} title={meaning}>
          <input type="radio" name={`mode of ${field}`} value={mode} checked={current === mode} onChange={() => change(mode)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
