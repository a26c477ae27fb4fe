import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'

interface Manifest {
  readonly version: string
}

/** `name@version` of an installed package. */
export function versionOf(name: string): string {
  const path = findPackageJSON(name, import.meta.url)
  if (path === undefined) throw new Error(`${name} is not installed`)
  return `${name}@${(JSON.parse(readFileSync(path, 'utf8')) as Manifest).version}`
}
