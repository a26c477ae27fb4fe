import { describe, expect, it } from 'vitest'
import { TASKS_EXTENSION } from '../../src/mcp/index.ts'
import { codeOf, metaDeclaring } from './support.ts'

const NONE = metaDeclaring({}).capabilities

describe('the capabilities of a caller', () => {
  it.each<[string, object, object]>([
    ['none', {}, {}],
    ['[REQ-ELICITATION-MODES] elicitation without a mode, which is forms only', { elicitation: {} }, { form: true }],
    ['elicitation with a mode nobody knows', { elicitation: { voice: {} } }, { form: true }],
    ['forms', { elicitation: { form: {} } }, { form: true }],
    ['forms with settings', { elicitation: { form: { applyDefaults: true } } }, { form: true }],
    ['[REQ-ELICITATION-MODES] URLs, and then no forms', { elicitation: { url: {} } }, { url: true }],
    ['both modes', { elicitation: { form: {}, url: {} } }, { form: true, url: true }],
    ['sampling', { sampling: {} }, { sampling: true }],
    ['sampling with tools', { sampling: { tools: {} } }, { sampling: true, samplingTools: true }],
    ['sampling with context', { sampling: { context: {} } }, { sampling: true, samplingContext: true }],
    ['roots', { roots: { listChanged: true } }, { roots: true }],
    ['tasks', { extensions: { [TASKS_EXTENSION]: {} } }, { tasks: true }],
    [
      'all of them',
      {
        elicitation: { form: {}, url: {} },
        sampling: { tools: {}, context: {} },
        roots: {},
        extensions: { [TASKS_EXTENSION]: { later: 1 } },
      },
      { form: true, url: true, sampling: true, samplingTools: true, samplingContext: true, roots: true, tasks: true },
    ],
    ['extensions of others, whatever is in them', { extensions: { 'com.example/x': 7, 'io.modelcontextprotocol/ui': null } }, {}],
    ['the tasks of 2025', { tasks: { requests: { tools: { call: {} } } } }, {}],
    ['what is experimental or unknown', { experimental: [], completions: 1, toString: {} }, {}],
  ])('%s', (_, declared, expected) => {
    expect(metaDeclaring(declared).capabilities).toEqual({ ...NONE, ...expected })
  })

  it.each<[string, object]>([
    ['elicitation true', { elicitation: true }],
    ['elicitation null', { elicitation: null }],
    ['forms as a boolean', { elicitation: { form: true } }],
    ['URLs as an array', { elicitation: { form: {}, url: [] } }],
    ['sampling as an array', { sampling: [] }],
    ['tools of sampling as a string', { sampling: { tools: 'all' } }],
    ['context of sampling null', { sampling: { context: null } }],
    ['roots as a number', { roots: 1 }],
    ['extensions as an array', { extensions: [TASKS_EXTENSION] }],
    ['tasks true', { extensions: { [TASKS_EXTENSION]: true } }],
  ])('%s is refused', (_, declared) => {
    expect(codeOf(() => metaDeclaring(declared))).toBe('MCP_PARAMS_INVALID')
  })

  it('equal sets are one object that nobody can change', () => {
    const { capabilities } = metaDeclaring({ elicitation: {}, roots: {} })
    expect(metaDeclaring({ roots: {}, elicitation: { form: {} }, other: {} }).capabilities).toBe(capabilities)
    expect(metaDeclaring({ roots: {} }).capabilities).not.toBe(capabilities)
    expect(Object.isFrozen(capabilities)).toBe(true)
  })
})
