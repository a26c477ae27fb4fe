import { cpSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const COPIED = [
  'src',
  'examples/tickets-server.ts',
  'examples/token-issuer.ts',
  'examples/end-with-npm.ts',
  'tools/build.ts',
  'tools/node-runtime/package.json',
]
const TOP = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'README.md', 'LICENSE']

/** A folder that is a checkout as far as npm's scripts can tell, without policies; commands that write do it there. The caller removes it. */
export function copyCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wicketgate-checkout-'))
  for (const path of [...COPIED, ...TOP]) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
