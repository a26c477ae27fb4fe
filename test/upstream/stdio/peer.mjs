// A program that speaks through its pipes, and does what its first argument says. No SDK: some of this no SDK would do.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const [, , what = 'echo', ...rest] = process.argv
const say = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const answer = (id, result = {}) => say({ id, result })
const onMessage = run => {
  // Splits at U+2028, U+2029 and lone CR too, as many hand-made servers do.
  createInterface({ input: process.stdin }).on('line', line => run(line === '' ? {} : JSON.parse(line), line))
}
const stay = () => setInterval(() => {}, 1_000)

const BEHAVIOURS = {
  echo: () => onMessage(message => message.id !== undefined && answer(message.id, { params: message.params ?? null })),
  environment: () => onMessage(({ id }) => answer(id, { environment: process.env, argv: rest, directory: process.cwd() })),
  lines: () => {
    let count = 0
    onMessage(({ id }, line) => {
      count += 1
      if (id !== undefined) answer(id, { count, line })
    })
  },
  noise: () => {
    process.stdout.write('Server started!\n{"level":30,"msg":"listening"}\n\r\n{\n  "pretty": true\n}\n')
    BEHAVIOURS.echo()
  },
  'noise-for-ever': () => {
    const more = () => {
      while (process.stdout.write('nothing to say\n'));
      process.stdout.once('drain', more)
    }
    more()
  },
  'line-without-end': () => {
    const more = () => {
      while (process.stdout.write('{"jsonrpc":"2.0"'.repeat(512)));
      process.stdout.once('drain', more)
    }
    more()
  },
  'messages-for-ever': () => {
    const text = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n`.repeat(200)
    const more = () => {
      while (process.stdout.write(text));
      process.stdout.once('drain', more)
    }
    more()
    BEHAVIOURS.echo()
  },
  'long-line': () =>
    onMessage(({ id, params }) => {
      answer(id, { text: 'x'.repeat(params.length) })
    }),
  pieces: () =>
    onMessage(async ({ id, params }) => {
      const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result: params })}\r\n`)
      for (const byte of bytes) await new Promise(resolve => process.stdout.write(Buffer.from([byte]), resolve))
    }),
  deaf: () => {
    process.stdin.pause()
    stay()
  },
  'stays-after-sigterm': () => {
    process.on('SIGTERM', () => {})
    BEHAVIOURS.echo()
    stay()
  },
  'goes-after-sigterm': () => {
    process.on('SIGTERM', () => {
      process.stderr.write('told to go\n')
      process.exit(0)
    })
    BEHAVIOURS.echo()
    stay()
  },
  forks: () => {
    // One that stays whatever it is told, with our pipes in its hands.
    const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    onMessage(({ id, method }) => {
      if (method === 'die') process.exit(7)
      answer(id, { child: child.pid })
    })
  },
  dies: () =>
    onMessage(({ id, method }) => {
      if (method === 'die') process.exit(3)
      if (method === 'answer-and-die') {
        process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { last: true } })}\n`, () => process.exit(0))
        return
      }
      if (method !== 'wait') answer(id, { pid: process.pid })
    }),
  'dies-at-once': () => process.exit(1),
  'closes-stdout': () => {
    process.stdout.end()
    process.stdout.destroy()
    import('node:fs').then(({ closeSync }) => closeSync(1))
    stay()
  },
  stderr: () => {
    process.stderr.write(`token is ${process.env.TOKEN}!\n\u001b[31mred\u202e\u001b[0m\r\n${'y'.repeat(5_000)}\n`)
    for (const line of (process.env.KEY ?? '').split('\n')) process.stderr.write(`key: ${line}\n`)
    for (let index = 0; index < 500; index++) process.stderr.write(`line ${index}\n`)
    BEHAVIOURS.echo()
  },
  descriptors: () =>
    onMessage(async ({ id }) => {
      const { readdirSync, readlinkSync } = await import('node:fs')
      const open = readdirSync('/proc/self/fd').flatMap(fd => {
        try {
          return [[Number(fd), readlinkSync(`/proc/self/fd/${fd}`)]]
        } catch {
          return []
        }
      })
      answer(id, { open })
    }),
}

BEHAVIOURS[what]?.()
