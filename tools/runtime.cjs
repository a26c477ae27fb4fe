/** `npm run runtime`: says which Node.js the scripts run on, and fails where the one from tools/node-runtime did not get in front. */
const [major] = process.versions.node.split('.').map(Number)
process.stdout.write(`Node.js ${process.versions.node} (${process.execPath})\n`)
if (major < 24) {
  process.stderr.write(
    'These scripts need Node.js 24. On Linux x64 and arm64, `npm ci` brings it along and `npm run` uses it; elsewhere, install it.\n',
  )
  process.exitCode = 1
}
