// The layout of every page around its content: the head, the bar with links, and the skip link for keyboards.

import { html, type Html } from './html.ts'

export interface Frame {
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
  /** Whether to link to GraphiQL. */
  readonly graphiql: boolean
}

export function framed({ styles, scripts, graphiql }: Frame, title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>${title}</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <link rel="icon" href="data:,">
  ${styles.map((style) => html`<link rel="stylesheet" href="${style}">`)}
  ${scripts.map((script) => html`<script type="module" src="${script}"></script>`)}
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <nav class="bar" aria-label="Pages">
    <a class="brand" href="/">${logo}<span>Quire</span></a>
    <ul>
      ${graphiql ? html`<li><a href="/graphql">GraphiQL</a></li>` : ''}
      <li><a href="/docs">Docs</a></li>
      <li><a href="/health" data-status="unknown">Health</a></li>
      <li><a href="/ready" data-status="unknown">Ready</a></li>
    </ul>
  </nav>
  <main id="main">${body}</main>
</body>
</html>
`.text
}

/** Folded sheets of paper: a quire. */
const logo = html`<svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true"><path class="sheet one" d="M4 5l9 3v15l-9-3z"/><path class="sheet two" d="M22 5l-9 3v15l9-3z"/><path class="sheet three" d="M7 3l6 2 6-2v15l-6 2-6-2z"/></svg>`
