import type { CallMethod } from '../core/model.ts'
import { createLookalikeCheck, type HasLookalike } from './envelope-keys.ts'

/** Whose answer a response is: that of a call, or of a request of our own. */
export type AnswerTo = CallMethod | 'list' | 'discover' | 'listen'

const ALWAYS = ['_meta', 'resultType']
const QUESTIONS = ['inputRequests', 'requestState']
const CACHING = ['ttlMs', 'cacheScope']

export const hasToolResultLookalike = createLookalikeCheck([...ALWAYS, ...QUESTIONS, 'content', 'structuredContent', 'isError'])

export const hasTaskLookalike = createLookalikeCheck([
  ...ALWAYS,
  'taskId',
  'status',
  'statusMessage',
  'createdAt',
  'lastUpdatedAt',
  'ttlMs',
  'pollIntervalMs',
  'inputRequests',
  'result',
  'error',
])

/** By what the result answers: members that a reader without case would take for another's are only those it knows. */
export const RESULT_LOOKALIKES: Readonly<Record<AnswerTo, HasLookalike>> = {
  'tools/call': hasToolResultLookalike,
  'prompts/get': createLookalikeCheck([...ALWAYS, ...QUESTIONS, 'messages', 'description']),
  'resources/read': createLookalikeCheck([...ALWAYS, ...QUESTIONS, ...CACHING, 'contents']),
  'completion/complete': createLookalikeCheck([...ALWAYS, 'completion']),
  'tasks/get': hasTaskLookalike,
  'tasks/update': hasTaskLookalike,
  'tasks/cancel': hasTaskLookalike,
  list: createLookalikeCheck([...ALWAYS, ...CACHING, 'tools', 'prompts', 'resources', 'resourceTemplates', 'nextCursor']),
  discover: createLookalikeCheck([...ALWAYS, ...CACHING, 'supportedVersions', 'capabilities', 'instructions']),
  listen: createLookalikeCheck(ALWAYS),
}
