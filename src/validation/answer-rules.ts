import type { QuestionPolicy, UpstreamConfig } from '../core/configuration.ts'
import { isLoopback } from '../core/loopback.ts'
import type { IsAllowedLink } from '../mcp/index.ts'

/** What of an upstream's configuration its answers are judged by. */
export type JudgedUpstream = Pick<UpstreamConfig, 'alias' | 'url' | 'questions' | 'linkSchemes' | 'linkHosts' | 'allowTasks'>

export interface AnswerRules {
  /** Stands before the words of its questions, so that whoever reads them knows who asks: `[docs] `. */
  readonly label: string
  readonly questions: QuestionPolicy
  /** It runs on this machine, where pages need no TLS. */
  readonly isLocal: boolean
  readonly allowTasks: boolean
  readonly isAllowedLink: IsAllowedLink
}

/** What a browser or a viewer runs, or what holds its content itself and so shows no host to judge. */
const RUNNABLE: ReadonlySet<string> = new Set(['javascript', 'vbscript', 'data', 'blob', 'about', 'filesystem'])

const NO_QUESTIONS: QuestionPolicy = { form: false, url: false, sampling: false, roots: false, urlHosts: [] }

export function createAnswerRules(upstream: JudgedUpstream): AnswerRules {
  const schemes = upstream.linkSchemes && new Set(upstream.linkSchemes.map(scheme => scheme.toLowerCase()))
  const isAllowedScheme = schemes === undefined ? isNotRunnable : (scheme: string) => schemes.has(scheme)
  const hosts = upstream.linkHosts && new Set(upstream.linkHosts)
  return {
    label: `[${upstream.alias}] `,
    questions: upstream.questions,
    isLocal: isLoopback(new URL(upstream.url).hostname),
    allowTasks: upstream.allowTasks,
    isAllowedLink: (scheme, uri) => isAllowedScheme(scheme) && (hosts === undefined || leadsTo(hosts, uri)),
  }
}

/** For an upstream that nothing is configured of: it may ask for nothing. */
export const STRICTEST_RULES: AnswerRules = {
  label: '[?] ',
  questions: NO_QUESTIONS,
  isLocal: false,
  allowTasks: false,
  isAllowedLink: isNotRunnable,
}

/** As a browser reads it, which takes `https:/host`, `https:\\host` and `HOST` for the same. What names no host leads to none. */
function leadsTo(hosts: ReadonlySet<string>, uri: string): boolean {
  const url = URL.parse(uri)
  if (url === null || url.username !== '' || url.password !== '') return false
  return url.host === '' || hosts.has(url.host.toLowerCase())
}

function isNotRunnable(scheme: string): boolean {
  return !RUNNABLE.has(scheme)
}
