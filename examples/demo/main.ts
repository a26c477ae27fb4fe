import { runDemo } from './run-demo.ts'
import { STORY } from './story.ts'

/** `npm run demo` tells the story and serves on until Ctrl+C; `npm run demo -- --once` ends after the story. */
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())

// npm hands a signal to the shell it started us with, and the shell dies of it without a word to us.
const { ppid } = process
setInterval(() => process.ppid === ppid || stop.abort(), 500).unref()

process.exitCode = await runDemo(STORY, {
  once: process.argv.includes('--once'),
  write: text => process.stdout.write(text),
  stop: stop.signal,
})
