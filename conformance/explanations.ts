import type { Explanation } from './differences.ts'
import type { RunName } from './runs.ts'

/** All that comes out otherwise through the gateway, by run, and why. */
export const EXPLANATIONS: Readonly<Record<RunName, readonly Explanation[]>> = {
  'modern to modern': [],
  'modern to legacy': [
    {
      reason: 'The tasks extension came with 2026-07-28. A server of an earlier revision has no tasks, and so none of these tools.',
      checks: {
        'tasks-lifecycle': [
          'sep-2663-result-type-task-on-create',
          'sep-2663-tasks-get-status-working',
          'sep-2663-tasks-get-status-completed',
          'sep-2663-tool-error-uses-completed-status',
          'sep-2663-tasks-get-status-failed',
          'sep-2663-cancel-ack-empty-result',
          'tasks-cancel-terminal-idempotent-ack',
        ],
        'tasks-capability-negotiation': [
          'tasks-extension-advertised',
          'sep-2663-server-rejects-undeclared-client',
          'tasks-per-request-meta-opt-in',
        ],
        'tasks-wire-fields': ['tasks-wire-field-renames', 'tasks-no-early-ttl-expiry', 'tasks-no-related-task-meta-on-inlined-result'],
        'tasks-request-state-removal': [
          'tasks-create-result-no-request-state',
          'tasks-get-detailed-no-request-state',
          'tasks-request-state-removal-setup',
        ],
        'tasks-mrtr-input': [
          'sep-2663-tasks-get-status-input-required',
          'tasks-mrtr-tasks-update-resumes',
          'tasks-mrtr-partial-fulfillment',
        ],
        'tasks-request-headers': [
          'sep-2663-routing-headers-accepted-on-tasks-get',
          'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
        ],
        'tasks-dispatch-and-envelope': [
          'tasks-server-directed-creation-no-hint',
          'tasks-immediate-result-shortcut',
          'tasks-result-type-complete-on-non-task-responses',
          'sep-2663-durable-create-strong-consistency',
        ],
        'tasks-required-task-error': [
          'sep-2663-server-returns-missing-capability-when-required',
          'sep-2663-server-returns-missing-capability-data-shape',
        ],
        'tasks-mrtr-composition': ['sep-2663-mrtr-synchronous-before-task-creation'],
      },
    },
    {
      reason:
        'In earlier revisions a question is a request of its own: it has no key that a server has chosen. The gateway makes one up, which the suite does not look for.',
      checks: {
        'input-required-result-basic-elicitation': ['sep-2322-elicitation-incomplete', 'sep-2322-elicitation-complete'],
        'input-required-result-ignore-extra-params': ['sep-2322-ignore-unexpected-params'],
      },
    },
    {
      reason:
        'A server of an earlier revision asks one thing after another, each in its own time. The gateway passes each on as it comes, and waits for no other.',
      checks: {
        'input-required-result-multiple-input-requests': ['sep-2322-multiple-inputs-incomplete', 'sep-2322-multiple-inputs-complete'],
      },
    },
    {
      reason:
        'A server of an earlier revision knows no error for a capability that the client lacks: this one says so in a tool result, which is its answer.',
      checks: { 'server-stateless': ['sep-2575-server-rejects-undeclared-capability', 'sep-2575-missing-capability-http-400'] },
    },
  ],
  'legacy to legacy': [],
  'legacy to modern': [],
  'modern client': [],
  'legacy client': [],
}
