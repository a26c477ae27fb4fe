/** `npm run build`: dist/ as it is published, and nothing else in it. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
execFileSync('tsc', ['--project', 'tsconfig.build.json'], { stdio: 'inherit' })
copyFileSync('src/bin.cjs', 'dist/bin.cjs')
chmodSync('dist/bin.cjs', 0o755)
