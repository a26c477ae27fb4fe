import { type HonestServer, text, tool } from '../../example.ts'
import { DESTROY, READ } from './annotations.ts'

/** After browser automation. */
export const browser: HonestServer = {
  name: 'browser',
  items: [
    tool('browser_navigate', 'Opens an address in the current tab.', { url: text('Address, with its scheme') }, DESTROY),
    tool(
      'browser_snapshot',
      'Gives the page as a tree of roles and names. When you mean to act on the page, this serves you better than a picture.',
      {},
      READ,
    ),
    tool(
      'browser_take_screenshot',
      'Takes a picture of the page. Only for looking at: references for clicks come from browser_snapshot.',
      {
        fullPage: { type: 'boolean' },
        filename: text('Name of the file, page-<time>.png if left out. Keep it relative, so it lands in the output folder.'),
      },
      READ,
    ),
    tool(
      'browser_click',
      'Clicks something on the page.',
      {
        element: text('What is clicked, in words; shown to the user when they are asked for permission'),
        ref: text('Its reference in the last snapshot'),
      },
      DESTROY,
    ),
    tool(
      'browser_evaluate',
      'Runs JavaScript in the page, or on one element of it.',
      {
        function: text('An arrow function; it gets the element, if one is given'),
      },
      DESTROY,
    ),
    tool(
      'browser_file_upload',
      'Hands files to the file chooser that is open.',
      {
        paths: {
          type: 'array',
          items: { type: 'string' },
          description: 'Where the files lie, as absolute paths. Without any the chooser is closed.',
        },
      },
      DESTROY,
    ),
    tool('browser_cookies', 'Lists cookies of the current context. Values of HttpOnly cookies are masked.', { domain: text() }, READ),
    tool('browser_install', 'Downloads the browser that is configured. For when another tool complains that there is none.', {}, DESTROY),
  ],
  changes: [
    {
      what: 'a parameter for incremental snapshots, annotations spelled out',
      kind: 'tool',
      before: tool('browser_snapshot', 'Gives the page as a tree of roles and names.').descriptor,
      after: tool(
        'browser_snapshot',
        'Gives the page as a tree of roles and names. When you mean to act on the page, this serves you better than a picture.',
        { filename: text('File to keep the tree in, rather than returning it') },
        { annotations: { title: 'Page snapshot', readOnlyHint: true, destructiveHint: false, openWorldHint: true } },
      ).descriptor,
    },
  ],
}

/** After the tools for files and terminals on a desktop. */
export const desktop: HonestServer = {
  name: 'desktop',
  items: [
    tool(
      'read_file',
      `Reads a file, or a stretch of its lines.

Take this rather than cat or type in a terminal.

Only folders that were allowed can be read (see list_allowed_directories). ALWAYS give absolute paths; what a relative one means depends on where the server was started, and ~ is not known everywhere.

Users may call it by the short name "DT: read".`,
      { path: text(), offset: { type: 'number', default: 0 }, length: { type: 'number', default: 1000 } },
      READ,
    ),
    tool(
      'write_file',
      'Writes a file, or adds to its end. ALWAYS send long files in pieces of some 30 lines, the first as rewrite and the others as append. What was there is overwritten without a question, so take care.',
      { path: text(), content: text(), mode: text('', { enum: ['rewrite', 'append'], default: 'rewrite' }) },
      DESTROY,
    ),
    tool(
      'start_process',
      `Starts a program in a terminal and waits until it wants input.

THE TOOL TO USE for local data files (csv, json, logs). Do not try the sandbox of the chat on them: it has no access to this disk and will report that the file does not exist.

How it usually goes:
1. start_process("duckdb")
2. interact_with_process(pid, "select count(*) from '/data/visits.csv'")

Commands in blockedCommands (sudo, mkfs, shutdown …) are refused.`,
      { command: text(), timeout_ms: { type: 'number' }, shell: text('e.g. bash, zsh, powershell') },
      DESTROY,
    ),
    tool(
      'kill_process',
      'Ends a process by its number. Careful: it ends at once, with whatever was not saved.',
      { pid: { type: 'number' } },
      DESTROY,
    ),
    tool(
      'set_config_value',
      'Changes a setting of this server. WARNING: for the sake of security do this in a chat of its own, not in one that also runs commands or reads files.',
      {
        key: text('e.g. blockedCommands, defaultShell, allowedDirectories, telemetryEnabled'),
        value: {},
      },
      DESTROY,
    ),
    tool(
      'get_recent_tool_calls',
      'Recent calls with their arguments and results, for resuming work after a lost chat. Kept in memory, up to 1000.',
      {
        maxResults: { type: 'number', default: 50 },
      },
      READ,
    ),
  ],
  changes: [
    {
      what: 'the block list is mentioned, an option is added',
      kind: 'tool',
      before: tool('start_process', 'Starts a program in a terminal.', { command: text(), timeout_ms: { type: 'number' } }, DESTROY)
        .descriptor,
      after: tool(
        'start_process',
        'Starts a program in a terminal. Prefer it to one-off commands when you want a REPL. Commands in blockedCommands are refused.',
        { command: text(), timeout_ms: { type: 'number' }, shell: text('e.g. bash, zsh, powershell') },
        DESTROY,
      ).descriptor,
    },
  ],
}

/** After CRM servers with their sections and emoji. */
export const crm: HonestServer = {
  name: 'crm',
  items: [
    tool(
      'crm-get-user-details',
      `
    🎯 Purpose
      1. Says whom the access token belongs to and what it is good for.

    🧭 Usage Guidance:
      1. MUST come before every other CRM tool: without it you know neither who the user is nor what they may do.

    📦 Returns:
      1. User id, account id, token type and the list of granted scopes. The token itself is not returned.
  `,
      {},
      READ,
    ),
    tool(
      'crm-batch-update-objects',
      `
    🛡️ Guardrails:
      1. Caution, this writes. Use it only after the user has asked for the change in so many words.

    🎯 Purpose:
      1. Updates up to 100 records of one type at a time.

    📋 Prerequisites:
      1. Use crm-get-user-details to get the owner id if you don't have it already.
      2. Use crm-list-properties to learn what can be set.
  `,
      { objectType: text('contacts, companies, deals, tickets …'), inputs: { type: 'array', items: { type: 'object' }, maxItems: 100 } },
      DESTROY,
    ),
    tool(
      'crm-create-engagement',
      '📝 Logs a note or a task on a record. Notes are visible to everybody in the account, so leave out passwords and card numbers.',
      { type: text('', { enum: ['NOTE', 'TASK'] }), ownerId: { type: 'integer' }, body: text() },
    ),
    tool(
      'crm-get-link',
      '🔗 Makes a link to a record. Always better than telling people where to look.',
      { portalId: text(), objectId: text() },
      READ,
    ),
    tool('search', 'Searches records by name, mail address or domain.', { query: text() }, READ),
  ],
}
