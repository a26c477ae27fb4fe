import { spawnSync } from 'node:child_process'

function works(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

function run(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

function isFound(): boolean {
  return works('redis-server', '--version')
}

function install(): boolean {
  if (process.getuid?.() !== 0 || !works('apt-get', '--version')) return false
  say('redis-server is not on PATH; installing it with apt-get')
  // Another one may be at work, and mirrors have their moments.
  const patient = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=5']
  run('apt-get', ...patient, 'update')
  return run('apt-get', ...patient, 'install', '-y', '--no-install-recommends', 'redis-server') && isFound()
}

/**
 * Run before the tests: they use a real Redis. Finds redis-server on PATH; as root on a machine with apt-get installs it; otherwise says
 * what to do and exits 1, so that no run passes by leaving tests out.
 */
export function findRedis(): void {
  if (isFound() || install()) return
  say('The tests need redis-server (6 or later) on PATH. One of:')
  say('  Debian, Ubuntu   sudo apt-get update && sudo apt-get install -y --no-install-recommends redis-server')
  say('  Fedora           sudo dnf install -y redis')
  say('  Alpine           apk add redis')
  say('  macOS            brew install redis')
  process.exit(1)
}
