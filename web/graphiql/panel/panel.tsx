// The Round trips panel: what the last run in this tab cost, beside GraphiQL's own answer.

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
  useLongLines()
  return (
    <aside className="rt-panel" aria-label="Round trips" data-open={open} data-state={run?.state ?? 'empty'} data-batched={run?.batched.state} aria-busy={run?.state === 'running'}>
      <header className="rt-top">
        <h2>Round trips</h2>
        <button type="button" className="rt-button" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? 'Hide' : 'Show'}</button>
      </header>
      {open && <Content run={run} />}
    </aside>
  )
}

function Content({ run }: { run: Run | undefined }) {
  if (!run) return <Empty />
  const { account, problems, batched } = run
  return (
    <div className="rt-content">
      {problems.length > 0 && <Problems problems={problems} />}
      {!account && run.state === 'running' && <p className="rt-note">Running …</p>}
      {!account && run.state === 'answered' && <p className="rt-note">{problems.length > 0 ? 'It did not get as far as the store, so there is nothing to account for.' : 'This answer came without an account. Does the request send quire-trace: 0?'}</p>}
      {account && (
        <>
          <Headline account={account} />
          <Comparison account={account} batched={batched} />
          <Relations run={run} relations={account.relations} />
          <Waterfall calls={account.calls} />
          <NextTab />
        </>
      )}
    </div>
  )
}

/** On to the next tab: the examples are in an order. */
function NextTab() {
  const next = useGraphiQL((state) => state.activeTabIndex + 1)
  const title = useGraphiQL((state) => state.tabs[next]?.title)
  const changeTab = useChangeTab()
  return title === undefined ? null : <button type="button" className="rt-button rt-next" onClick={() => changeTab(next)}>Next: {title} →</button>
}

/** Not all tabs fit on most screens, so the one that is opened is brought into view. */
function useChangeTab(): (index: number) => void {
  const actions = useGraphiQLActions()
  return (index) => {
    actions.changeTab(index)
    document.getElementById(`graphiql-session-tab-${index}`)?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }
}

/** Comments are sentences, and sentences are read to their end. */
function useLongLines(): void {
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
      <p>Run an operation, and see here what it asked of the store, what the naive way would have asked, and why.</p>
      <button type="button" className="rt-button main" onClick={() => actions.run()}>Run this operation</button>
      <p className="rt-note">or press <kbd>Ctrl</kbd> <kbd>Enter</kbd> in the editor</p>
      {tabs.length > 1 && (
        <nav className="rt-tabs" aria-label="Open operations">
          <h3>In the tabs</h3>
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
