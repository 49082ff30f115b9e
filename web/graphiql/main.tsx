// GraphiQL with the round trips panel.

import 'graphiql/setup-workers/vite'
// GraphiQL's style sheets one by one: the combined one brings half a megabyte of fonts.
import '@graphiql/react/style.css'
import '@graphiql/plugin-doc-explorer/style.css'
import '@graphiql/plugin-history/style.css'
import 'graphiql/graphiql.css'
import '../theme.css'
import './graphiql.css'
import { GraphiQL } from 'graphiql'
import { createRoot } from 'react-dom/client'
import { createFetcher } from './fetcher.ts'
import { readPageData } from './page-data.ts'
import { keepTabsPlain } from './plain-tabs.ts'
import { RoundTripsPanel } from './panel/panel.tsx'
import { Runs } from './runs.ts'
import { openingTabs, rememberedFor } from './tabs.ts'

const { examples, naive } = readPageData()
const runs = new Runs()
const asked = new URL(location.href).searchParams.get('query')
const root = document.getElementById('root')!

keepTabsPlain(root)
createRoot(root).render(
  <GraphiQL
    fetcher={createFetcher(runs, naive)}
    {...openingTabs(examples, asked)}
    storage={rememberedFor(examples)}
    defaultEditorToolsVisibility={false}
  >
    <GraphiQL.Logo><a className="quire-logo" href="/">Quire</a></GraphiQL.Logo>
    <RoundTripsPanel runs={runs} />
  </GraphiQL>,
)
