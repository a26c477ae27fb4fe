/** What npm started ends with it: a signal to npm ends npm, and nothing is passed on. */
const { ppid } = process
if (process.env.npm_execpath !== undefined) setInterval(() => process.ppid === ppid || process.exit(), 500).unref()
