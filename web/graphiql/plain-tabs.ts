// GraphiQL marks its list of sessions as tabs. A tab may not contain buttons, and each of these contains two, so screen readers skip
// the one that closes it. Here the marks are taken away: what is left is a list of buttons, of which one is the current.

export function keepTabsPlain(root: HTMLElement): void {
  const correct = (): void => {
    for (const tab of root.querySelectorAll('.graphiql-tab')) correctTab(tab)
    for (const marked of root.querySelectorAll('ul[role="tablist"]')) marked.removeAttribute('role')
    root.querySelector('#graphiql-session[role="tabpanel"]')?.setAttribute('role', 'region')
  }
  // React writes an attribute only when it changes.
  new MutationObserver(correct).observe(root, { subtree: true, childList: true, attributeFilter: ['aria-selected'] })
  correct()
}

function correctTab(tab: Element): void {
  const selected = tab.getAttribute('aria-selected')
  if (selected === null) return
  tab.removeAttribute('role')
  tab.removeAttribute('aria-selected')
  const button = tab.querySelector('.graphiql-tab-button')
  if (selected === 'true') button?.setAttribute('aria-current', 'true')
  else button?.removeAttribute('aria-current')
}
