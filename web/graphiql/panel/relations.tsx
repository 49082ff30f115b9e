// For each relation of the operation: which way was chosen, why, and a switch to try it another way. The
// switch writes `@read` into the operation, where everyone can see it, and runs it again.

import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import type { CostReport } from '../../../src/observe/cost-report.ts'
import { askedWay, askFor, type Way } from '../read-directive.ts'
import type { Run } from '../runs.ts'
import { counted } from './words.ts'

type Relation = CostReport['relations'][number]

const ways: readonly { way: Way; label: string; meaning: string }[] = [
  { way: 'AUTO', label: 'AUTO', meaning: 'From the copy when it has all that is asked for and is young enough' },
  { way: 'REFERENCE', label: 'REFERENCE', meaning: 'Always looked up: @read(from: REFERENCE)' },
  { way: 'FRESH', label: 'maxStaleMs: 0', meaning: 'From the copy only if it is proved to be of this moment: @read(maxStaleMs: 0)' },
]

export function Relations({ run, relations }: { run: Run; relations: readonly Relation[] }) {
  const fields = [...Map.groupBy(relations, ({ field }) => field)]
  return (
    <section className="rt-section" aria-labelledby="rt-relations">
      <h3 id="rt-relations">Relations</h3>
      {fields.length === 0 && <p className="rt-note">This operation follows none.</p>}
      <ul className="rt-relations">
        {fields.map(([field, entries]) => (
          <li key={field} data-relation={field}>
            <h4><code>{field}</code></h4>
            {entries.map(({ from, because, resolved }) => (
              <p key={from + because} className="rt-why">
                <span className="rt-rows">{counted(resolved, 'row')}</span>
                <span className={`rt-way ${from.toLowerCase()}`}>{from === 'SNAPSHOT' ? 'copy' : 'looked up'}</span> {because}
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
  const asked = askedWay(run.text, schema, field, run.operationName)

  function ask(way: Way): void {
    const changed = askFor(way, editor!.getValue(), schema!, field, run.operationName)
    const model = editor!.getModel()
    if (changed === undefined || !model) return
    // An edit like any other: undo takes it back.
    editor!.pushUndoStop()
    editor!.executeEdits('quire', [{ range: model.getFullModelRange(), text: changed }])
    editor!.pushUndoStop()
    actions.run()
  }

  return (
    <fieldset className="rt-switch">
      <legend>Read {field}</legend>
      {ways.map(({ way, label, meaning }) => (
        <label key={way} title={meaning}>
          <input type="radio" name={`way of ${field}`} value={way} checked={asked === way} onChange={() => ask(way)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
