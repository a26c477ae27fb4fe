import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'

/**
 * What the source may not say, beyond what Biome, the compiler and dependency-cruiser can tell. Prints `file:line  reason` for each
 * find and exits with 1. `node tools/bans.ts [DIRECTORY]`, by default src/.
 */
const ROOMS = 'auth|catalog|policy|validation|state|limits|idempotency|upstream|subscriptions|audit'

interface Ban {
  readonly pattern: RegExp
  /** Files, relative to the directory, in which it is allowed. */
  readonly except?: RegExp
  /** Files in which it is banned; all when absent. */
  readonly within?: RegExp
  readonly reason: string
}

const BANS: readonly Ban[] = [
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/,
    except: /^core\/clock\.ts$/,
    reason: 'time comes from a Clock: tests must be able to move it',
  },
  {
    pattern: /\bJSON\.parse\b/,
    except: /^core\/json[^/]*\.ts$/,
    reason: 'JSON from outside goes through the strict parser of core/json.ts',
  },
  {
    pattern: /\bRegExp\(/,
    // One property, held against one character.
    except: /^validation\/unicode-property\.ts$/,
    reason:
      'a pattern that is not in the source may take for ever: text from a policy goes through re2js, a schema’s through pattern-program.ts',
  },
  {
    pattern: /\.(?:includes|startsWith|endsWith|indexOf|search|match)\(\s*['"`/]\^?(?:application|text|multipart)\\?\//,
    reason: 'a media type is compared whole: text/plain; x=application/json is not JSON',
  },
  {
    // Not as one of several words in a text.
    pattern: /\breply\b(?! [a-z])/,
    within: new RegExp(`^(?:${ROOMS})/`),
    reason: 'a guard throws or returns; only the street door answers',
  },
  {
    pattern: /\bprocess\.(?:env|argv)\b/,
    except: /^(?:main\.ts|settings\.ts|bin\.cjs|cli\/)/,
    reason: 'what the environment and the command line say is read in one place and handed on',
  },
  { pattern: /\bconsole\./, reason: 'stdout may be the audit trail, and a log that is not a record is not redacted' },
  {
    pattern: /(?<!\bawait\s+)\bimport\(\s*['"`]/,
    except: /^bin\.cjs$/,
    reason: 'dependency-cruiser does not see an import inside a type: write import type',
  },
  {
    pattern: new RegExp(`^\\s*(?:import|export)\\s+(?!type\\b)[^'";]*['"]\\.\\./(?:${ROOMS})/`, 'm'),
    within: /^http\//,
    reason: 'the street door may name the types of a room, not use the room',
  },
]

/** Product → the room that makes it. */
const MAKERS: Readonly<Record<string, RegExp>> = {
  Principal: /^auth\//,
  ApprovedItem: /^catalog\//,
  Grant: /^policy\//,
  CheckedCall: /^validation\//,
  ResumedCall: /^state\//,
  Admission: /^limits\//,
  Ticket: /^idempotency\//,
  Intent: /^audit\//,
  Answer: /^upstream\//,
  CheckedAnswer: /^validation\//,
  SealedAnswer: /^state\//,
}

const FORBIDDEN_NAME = /^(?:utils?|helpers?|common|manager|service|types)\b|-(?:utils?|helpers?|manager|service)\./
const MAX_LINES = 300

const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g

/** Comments may name what code may not; they are blanked, lines kept. */
function withoutComments(source: string): string {
  return source.replace(COMMENT_OR_STRING, found => (found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found))
}

/** The lines on which a pattern is found. */
function finds(code: string, pattern: RegExp): ReadonlySet<number> {
  const lines = new Set<number>()
  for (const match of code.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
    const start = match.index + match[0].length - match[0].trimStart().length
    lines.add(code.slice(0, start).split('\n').length)
  }
  return lines
}

function sourceFiles(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name))
    .map(entry => relative(directory, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

function findBanned(directory: string): readonly string[] {
  const found: string[] = []
  const made = new Map<string, string>()
  for (const file of sourceFiles(directory)) {
    const source = readFileSync(join(directory, file), 'utf8')
    const code = withoutComments(source)
    const report = (line: number, reason: string) => found.push(`${file}:${line}  ${reason}`)

    if (FORBIDDEN_NAME.test(basename(file))) report(1, 'a file is named for what it exports')
    const lines = source.trimEnd().split('\n').length
    if (lines > MAX_LINES) report(lines, `over ${MAX_LINES} lines: this is two files`)
    for (const { pattern, except, within, reason } of BANS) {
      if (except?.test(file) || within?.test(file) === false) continue
      for (const line of finds(code, pattern)) report(line, reason)
    }
    for (const [product, maker] of Object.entries(MAKERS)) {
      for (const line of finds(code, new RegExp(`\\bas ${product}\\b`))) {
        if (!maker.test(file)) report(line, `only the room that makes a ${product} may cast to it`)
        else if (made.has(product)) report(line, `a ${product} is made in one place, and that is ${made.get(product)}`)
        else made.set(product, `${file}:${line}`)
      }
    }
  }
  return found
}

const found = findBanned(resolve(process.argv[2] ?? join(import.meta.dirname, '../src')))
for (const line of found) process.stdout.write(`${line}\n`)
process.exitCode = found.length === 0 ? 0 : 1
