/** `node tap-stdio.ts FOLDER COMMAND…`: a process between a client and a server over stdio. What the client says is also written there. */
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '', command = '', ...args] = process.argv.slice(2)
const file = join(folder, `${process.pid}.jsonl`)
const child = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] })
process.stdin.on('data', piece => {
  appendFileSync(file, piece)
  child.stdin.write(piece)
})
process.stdin.on('end', () => child.stdin.end())
child.stdin.on('error', () => {})
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', code => process.exit(code ?? 1))
