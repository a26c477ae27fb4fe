import { resolve } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { type Clock, systemClock } from '../core/clock.ts'
import type { Configuration } from '../core/configuration.ts'
import { checkTests, type PolicyTests } from './cases.ts'
import { checkItems } from './check-items.ts'
import { checkReferences } from './check-references.ts'
import { checkUpstreams } from './check-upstreams.ts'
import { configure } from './configure.ts'
import { configureItems } from './configure-items.ts'
import { type Fault, PolicyFaults } from './faults.ts'
import { createPolicy } from './policy.ts'
import { readFiles, revisionOf } from './read-files.ts'
import { RuleBook } from './rule-book.ts'
import { compileRules, type Offers } from './rules.ts'
import { gatewaySchema } from './schema/gateway.ts'
import { testsSchema } from './schema/tests.ts'
import { toolsSchema } from './schema/tools.ts'
import { mapSections } from './sections.ts'
import { parseShape } from './shape.ts'
import { type Path, SourceDocument } from './source-document.ts'
import type { Environment } from './variables.ts'
import { compileVariants } from './variants.ts'

export interface LoadOptions {
  readonly environment: Environment
  readonly listenerIsLoopback: boolean
  /** The explicit override: anonymous endpoints are served whatever the listener is. */
  readonly allowAnonymous: boolean
  /** `skip`: upstream credentials keep their `${…}`, for a reader that never calls an upstream. Default: `resolve`. */
  readonly credentials?: 'resolve' | 'skip'
  /** `skip`: a gateway neither needs tests nor watches them, so a fault in one must not keep a rule from it. Default: `read`. */
  readonly tests?: 'read' | 'skip'
  readonly clock?: Clock
}

/** One revision of a policy folder, complete and without faults. */
export interface LoadedPolicies {
  readonly configuration: Configuration
  readonly policy: ReturnType<typeof createPolicy>
  readonly book: RuleBook
  readonly tests: readonly PolicyTests[]
  /** Every file that was read, relative to the directory. */
  readonly files: readonly string[]
  /** The files as documents, for messages that must say where something stands. */
  readonly sources: readonly SourceDocument[]
}

const GATEWAY = 'gateway.yaml'

function isCredential([section, , member, part, inner]: Path): boolean {
  if (section !== 'upstreams') return false
  return member === 'credential' || (member === 'variants' && inner === 'credential') || (member === 'stdio' && part === 'environment')
}

/** Reads, checks and compiles a policy folder. Throws `PolicyFaults` with everything that is wrong, in all files at once. */
export async function loadPolicies(directory: string, options: LoadOptions): Promise<LoadedPolicies> {
  const { texts, faults } = await readFiles(directory, options.tests === 'skip' ? ['tools'] : ['tools', 'tests'])
  const documents: SourceDocument[] = []
  for (const [file, text] of texts) {
    // A gateway that runs serves calls meanwhile.
    await breathe()
    const leave = options.credentials === 'skip' && file === GATEWAY ? isCredential : undefined
    documents.push(new SourceDocument(file, text, options.environment, leave))
  }
  const inFolder = (folder: string) => documents.filter(document => document.file.startsWith(folder))
  const gateway = documents.find(document => document.file === GATEWAY)
  if (gateway !== undefined) {
    checkReferences(gateway, options.listenerIsLoopback || options.allowAnonymous)
    checkUpstreams(gateway)
  }
  const gatewayFile = gateway === undefined ? undefined : parseShape(gatewaySchema, gateway)
  const variantOf = gateway === undefined || gatewayFile === undefined ? undefined : compileVariants(gatewayFile, gateway)
  const offers = await loadOffers(inFolder('tools/'), gateway, options.clock ?? systemClock)
  const tests = inFolder('tests/').flatMap(document => {
    const file = parseShape(testsSchema, document)
    return file === undefined ? [] : [checkTests(file, document)]
  })
  const all: readonly Fault[] = [...faults, ...documents.flatMap(document => document.faults)]
  if (all.length > 0 || gatewayFile === undefined || variantOf === undefined) throw new PolicyFaults(all)
  const revision = revisionOf(texts)
  const configuration = configure(resolve(directory), revision, gatewayFile, offers, options.environment)
  const book = new RuleBook(revision, offers)
  return { configuration, policy: createPolicy(book, variantOf), book, tests, files: [...texts.keys()], sources: documents }
}

async function loadOffers(
  documents: readonly SourceDocument[],
  gateway: SourceDocument | undefined,
  clock: Clock,
): Promise<ReadonlyMap<string, Offers>> {
  const offers = new Map<string, Offers>()
  for (const document of documents) {
    await checkItems(document, gateway)
    const file = parseShape(toolsSchema, document)
    if (file === undefined) continue
    const sections = mapSections(async section => {
      const policies = configureItems(section, file, document)
      return { policies, compiled: await compileRules(section, file, policies, document, clock) }
    })
    const [tools, prompts, resources] = await Promise.all([sections.tools, sections.prompts, sections.resources])
    offers.set(file.upstream, { tools, prompts, resources })
  }
  return offers
}
