import { randomUUID } from 'node:crypto'
import type { CallToolResult, InputRequest } from '@modelcontextprotocol/server'

/** How a task ends, or that it goes on. */
type Status = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** What a task is to come to (SEP-2663 §Task Status). */
export type Course =
  | { readonly kind: 'runs'; readonly forMs: number; readonly result: CallToolResult }
  | { readonly kind: 'fails'; readonly error: { readonly code: number; readonly message: string } }
  | {
      readonly kind: 'asks'
      readonly questions: Readonly<Record<string, InputRequest>>
      readonly result: (answers: Answers) => CallToolResult
    }
export type Answers = Readonly<Record<string, unknown>>

export interface TaskStore {
  /** The members of a `CreateTaskResult`. */
  create(course: Course): Record<string, unknown>
  /** The members of a `DetailedTask`; `undefined` for an unknown id. */
  read(taskId: string): Record<string, unknown> | undefined
  /** Answers to open questions; others are not minded. False for an unknown id. */
  update(taskId: string, answers: Answers): boolean
  cancel(taskId: string): boolean
}

interface Task {
  readonly course: Course
  readonly startedMs: number
  readonly answers: Record<string, unknown>
  readonly isoStart: string
  isCancelled: boolean
}

const TTL_MS = 600_000
const POLL_MS = 50

/** Tasks of one server, in memory. A status is worked out when it is asked for, so no timer is left behind. */
export function createTaskStore(): TaskStore {
  const tasks = new Map<string, Task>()
  const describe = (taskId: string, task: Task) => ({
    taskId,
    status: statusOf(task),
    createdAt: task.isoStart,
    lastUpdatedAt: new Date().toISOString(),
    ttlMs: TTL_MS,
    pollIntervalMs: POLL_MS,
  })
  return {
    create(course) {
      const taskId = randomUUID()
      const task: Task = { course, startedMs: Date.now(), answers: {}, isoStart: new Date().toISOString(), isCancelled: false }
      tasks.set(taskId, task)
      return { resultType: 'task', ...describe(taskId, task) }
    },
    read(taskId) {
      const task = tasks.get(taskId)
      return task && { ...describe(taskId, task), ...outcomeOf(task) }
    },
    update(taskId, answers) {
      const task = tasks.get(taskId)
      if (task === undefined) return false
      for (const key of Object.keys(openQuestions(task))) if (Object.hasOwn(answers, key)) task.answers[key] = answers[key]
      return true
    },
    cancel(taskId) {
      const task = tasks.get(taskId)
      // What has ended stays as it is, and the acknowledgment is the same.
      if (task !== undefined && ['working', 'input_required'].includes(statusOf(task))) task.isCancelled = true
      return task !== undefined
    },
  }
}

function openQuestions({ course, answers }: Task): Readonly<Record<string, InputRequest>> {
  if (course.kind !== 'asks') return {}
  return Object.fromEntries(Object.entries(course.questions).filter(([key]) => !Object.hasOwn(answers, key)))
}

function statusOf(task: Task): Status {
  const { course, startedMs, isCancelled } = task
  if (isCancelled) return 'cancelled'
  if (course.kind === 'fails') return 'failed'
  if (course.kind === 'asks') return Object.keys(openQuestions(task)).length > 0 ? 'input_required' : 'completed'
  return Date.now() - startedMs < course.forMs ? 'working' : 'completed'
}

function outcomeOf(task: Task): Record<string, unknown> {
  const { course, answers } = task
  switch (statusOf(task)) {
    case 'input_required':
      return { inputRequests: openQuestions(task) }
    case 'failed':
      return course.kind === 'fails' ? { error: course.error } : {}
    case 'completed':
      return course.kind === 'runs' ? { result: course.result } : course.kind === 'asks' ? { result: course.result(answers) } : {}
    default:
      return {}
  }
}
