#!/usr/bin/env node
// Plain JavaScript for any Node.js: the version is checked before anything that an older one could not even parse.
const [major, minor, patch] = process.versions.node.split('.').map(Number)
const fits =
  (major === 24 && (minor > 22 || (minor === 22 && patch >= 1))) ||
  (major === 26 && (minor > 12 || (minor === 12 && patch >= 1))) ||
  major > 26
if (!fits) {
  process.stderr.write(`wicketgate needs Node.js 24.22.1 or later (or 26.12.1 or later); this is ${process.versions.node}.\n`)
  process.exit(1)
}
import('./main.js')
