// The documentation as the package has it. Links to files that only the repository has become their names.

import { dirname, join, normalize } from 'node:path'

/** `isShipped` is asked for paths from the root of the package. */
export function shippedPage(page: string, text: string, isShipped: (path: string) => boolean): string {
  // Fences come first, so that what stands in one is kept as it is.
  return text.replaceAll(/^ *```[\s\S]*?^ *```|!?\[([^\]]+)\]\(([^)\s]+)\)/gm, (whole, shown?: string, href?: string) => {
    if (href === undefined || /^(?:\w+:|#)/.test(href)) return whole
    const path = normalize(join(dirname(page), href.replace(/#.*/, '')))
    if (isShipped(path)) return whole
    return path.endsWith(shown!) ? `\`${path}\`` : `${shown} (\`${path}\`)`
  })
}
