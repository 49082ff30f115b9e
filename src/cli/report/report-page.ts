// The HTML page around a report: one self-contained file without scripts.

import { html, Html } from '../../site/html.ts'

export function reportPage(title: string, body: Html): string {
  return html`${new Html('<!doctype html>')}
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${new Html(style)}</style>
<main>
<h1>${title}</h1>
${body}
</main>
</html>
`.text
}

const style = `
:root { color-scheme: light dark; --paper: #fdfcfa; --ink: #23211e; --soft: #6a665f; --rule: #dedad2;
  --c0: #b5492f; --c1: #2f6f8f; --c2: #7a8b2c; --c3: #8a5aa3; --c4: #b08a1e; --c5: #4a7f6a }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1a18; --ink: #ece8e1; --soft: #a8a297; --rule: #3a3733;
  --c0: #e07a5f; --c1: #6fb1d1; --c2: #b3c45a; --c3: #bf93d6; --c4: #dcb84f; --c5: #7fb8a1 } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { font-size: 1.8rem; line-height: 1.2 } h2 { font-size: 1.15rem; margin: 2.5rem 0 .3rem }
figure { margin: .8rem 0 } figcaption { color: var(--soft); font-size: .85rem }
svg { width: 100%; height: auto; display: block } svg text { font-size: 13px; fill: var(--ink) } svg .value { fill: var(--soft) }
.bar0 { fill: var(--c0) } .bar1 { fill: var(--c1) } .bar2 { fill: var(--c2) } .bar3 { fill: var(--c3) } .bar4 { fill: var(--c4) } .bar5 { fill: var(--c5) }
pre { overflow-x: auto; font-size: .85rem; padding: .6rem .8rem; border: 1px solid var(--rule); border-radius: .3rem }
table { border-collapse: collapse; width: 100%; font-size: .85rem; font-variant-numeric: tabular-nums; display: block; overflow-x: auto }
th, td { text-align: left; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--rule) }
`
