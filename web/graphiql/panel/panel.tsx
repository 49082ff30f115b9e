// The round trips panel: the cost of the last run in this tab.

import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Problem, Run, Runs } from '../runs.ts'
import { Comparison } from './comparison.tsx'
import { Headline } from './headline.tsx'
import { Relations } from './relations.tsx'
import { Waterfall } from './waterfall.tsx'

export function RoundTripsPanel({ runs }: { runs: Runs }) {
  const tab = useGraphiQL((state) => state.tabs[state.activeTabIndex]?.id ?? '')
  const run = useSyncExternalStore(runs.subscribe, () => runs.of(tab))
  const [open, setOpen] = useState(true)
  useEffect(() => {
    runs.tab = tab
  }, [runs, tab])
  useWordWrap()
  return (
    <section className="rt-panel" aria-label="Round trips" data-open={open} data-state={run?.state ?? 'empty'} data-batched={run?.batched.state} aria-busy={run?.state === 'running'}>
      <header className="rt-top">
        <h2>Round trips</h2>
        <button type="button" className="rt-button" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? 'Hide' : 'Show'}</button>
      </header>
      {open && <Content run={run} />}
    </section>
  )
}

function Content({ run }: { run: Run | undefined }) {
  if (!run) return <Empty />
  const { costReport, problems, batched } = run
  return (
    <div className="rt-content">
      {problems.length > 0 && <Problems problems={problems} />}
      {!costReport && run.state === 'running' && <p className="rt-note">Running …</p>}
      {!costReport && run.state === 'answered' && <p className="rt-note">{problems.length > 0 ? 'The operation did not reach the store, so there is no cost report.' : 'This answer has no cost report. Does the request send quire-trace: 0?'}</p>}
      {costReport && (
        <>
          <Headline costReport={costReport} />
          <Comparison costReport={costReport} batched={batched} />
          <Relations run={run} relations={costReport.relations} />
          <Waterfall calls={costReport.calls} oneByOne={costReport.oneByOne} />
          <NextTab />
        </>
      )}
    </div>
  )
}

/** The examples have an order. */
function NextTab() {
  const next = useGraphiQL((state) => state.activeTabIndex + 1)
  const title = useGraphiQL((state) => state.tabs[next]?.title)
  const changeTab = useChangeTab()
  return title === undefined ? null : <button type="button" className="rt-button rt-next" onClick={() => changeTab(next)}>Next: {title} →</button>
}

/** Scrolls the tab into view: not all tabs fit on most screens. */
function useChangeTab(): (index: number) => void {
  const actions = useGraphiQLActions()
  return (index) => {
    actions.changeTab(index)
    document.getElementById(`graphiql-session-tab-${index}`)?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }
}

/** Wraps lines, so that the comments of the examples can be read. */
function useWordWrap(): void {
  const editor = useGraphiQL((state) => state.queryEditor)
  useEffect(() => editor?.updateOptions({ wordWrap: 'on' }), [editor])
}

function Empty() {
  const actions = useGraphiQLActions()
  const tabs = useGraphiQL((state) => state.tabs)
  const active = useGraphiQL((state) => state.activeTabIndex)
  const changeTab = useChangeTab()
  return (
    <div className="rt-content rt-empty">
      <p>Run an operation to see its round trips, what naive execution would have made, and why.</p>
      <button type="button" className="rt-button main" onClick={() => actions.run()}>Run this operation</button>
      <p className="rt-note">or press <kbd>Ctrl</kbd> <kbd>Enter</kbd> in the editor</p>
      {tabs.length > 1 && (
        <nav className="rt-tabs" aria-label="Open operations">
          <h3>Open tabs</h3>
          <ol>{tabs.map(({ id, title }, index) => (
            <li key={id}><button type="button" aria-current={index === active} onClick={() => changeTab(index)}>{title}</button></li>
          ))}</ol>
        </nav>
      )}
    </div>
  )
}

function Problems({ problems }: { problems: readonly Problem[] }) {
  return (
    <div className="rt-problems" role="alert">
      {problems.slice(0, 3).map(({ message, code }) => <p key={message}>{message}{code && <> <code>{code}</code></>}</p>)}
      {problems.length > 3 && <p>and {problems.length - 3} more</p>}
    </div>
  )
}
