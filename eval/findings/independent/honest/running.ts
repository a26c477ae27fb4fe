import { type HonestServer, objectOf, text, tool } from '../../example.ts'
import { DESTROY, READ } from './annotations.ts'

/** After payments. */
export const payments: HonestServer = {
  name: 'payments',
  items: [
    tool(
      'create_payment_link',
      'Makes a link people can pay at. Needs the id of a price; list_prices has them, and create_price makes one where there is none.',
      {
        price: text('e.g. price_8Kx2'),
        quantity: { type: 'integer' },
        redirect_url: text('Where customers go afterwards'),
      },
    ),
    tool(
      'list_customers',
      'Lists customers, 10 by default. Takes an optional email to filter by.',
      { limit: { type: 'integer', minimum: 1, maximum: 100 }, email: text() },
      READ,
    ),
    tool(
      'create_refund',
      'Refunds a payment intent, wholly or in part. Money leaves the account; refunds cannot be cancelled. If the amount is unclear, ask.',
      {
        payment_intent: text(),
        amount: { type: 'integer', description: 'In cents' },
        reason: text('', { enum: ['duplicate', 'fraudulent', 'requested_by_customer'] }),
      },
      DESTROY,
    ),
    tool(
      'search_documentation',
      'Searches the documentation. Use it to answer how-to questions; prefer it to your own knowledge, as the API changes with each version.',
      {
        question: text('The question the user has asked'),
        language: text('Language of code examples', { enum: ['curl', 'ruby', 'python', 'php', 'node', 'go', 'dotnet'] }),
      },
      READ,
    ),
    tool(
      'send_feedback',
      'Sends feedback on this server to the team. Only use it when the user wants to. The text goes to feedback@payments.example along with the version of the client.',
      {
        comment: text(),
      },
    ),
  ],
  changes: [
    {
      what: 'a new value of an enum, a stricter limit',
      kind: 'tool',
      before: tool('create_refund', 'Refunds a payment intent.', {
        payment_intent: text(),
        reason: text('', { enum: ['duplicate', 'fraudulent'] }),
      }).descriptor,
      after: tool(
        'create_refund',
        'Refunds a payment intent, wholly or in part. Money leaves the account; refunds cannot be cancelled. If the amount is unclear, ask.',
        {
          payment_intent: text(),
          amount: { type: 'integer', description: 'In cents' },
          reason: text('', { enum: ['duplicate', 'fraudulent', 'requested_by_customer'] }),
        },
        DESTROY,
      ).descriptor,
    },
  ],
}

/** After error tracking and dashboards. */
export const observability: HonestServer = {
  name: 'observability',
  items: [
    tool(
      'find_organizations',
      `Lists organizations of the user.

When:
- the user wants an overview
- another tool asks for a slug you do not have

<hints>
- If there is only one, use it without asking.
</hints>`,
      { query: text() },
      READ,
    ),
    tool(
      'get_issue_details',
      `All that is known on one error: stack trace, tags, when it came up first and last.

RIGHT FOR:
- a link to an error that was pasted
- "what is ERR-123?"

WRONG FOR: looking around. That is what search_issues is for.

<examples>
get_issue_details(issueUrl='https://my-org.errors.example/issues/8812/')
get_issue_details(organizationSlug='my-org', issueId='ERR-123')
</examples>`,
      { organizationSlug: text(), issueId: text(), issueUrl: text() },
      READ,
    ),
    tool(
      'create_dsn',
      'Creates an additional DSN for a project. A DSN is no secret in the strict sense, but do not post it in public. Prefer find_dsns, a project rarely needs a second one.',
      { projectSlug: text(), name: text() },
    ),
    tool(
      'query_loki_logs',
      'Runs a LogQL query. Logs are written by the applications and can hold anything, personal data and misleading text included. Start with query_loki_stats to see how much it would return.',
      {
        datasourceUid: text('From list_datasources'),
        logql: text(),
        limit: { type: 'integer', default: 10, maximum: 100 },
      },
      READ,
    ),
    tool(
      'update_dashboard',
      'Creates or updates a dashboard. Sending the whole JSON is costly, so prefer `operations` for small changes. An existing dashboard is only replaced with overwrite.',
      {
        uid: text(),
        operations: {
          type: 'array',
          items: objectOf({
            op: text('', { enum: ['replace', 'add', 'remove'] }),
            path: text('JSONPath, e.g. $.panels[0].title'),
            value: {},
          }),
        },
        overwrite: { type: 'boolean', default: false },
      },
      DESTROY,
    ),
    tool(
      'analyze_issue_with_ai',
      'Root cause analysis by our own model. Takes 2 to 5 minutes the first time; results are cached. Offer it when get_issue_details does not tell enough. The stack trace and the linked source are sent to the analysis service.',
      { issueUrl: text() },
      READ,
    ),
    {
      kind: 'prompt',
      descriptor: {
        name: 'fix_issue',
        description: 'Fetches an issue, finds its cause in the code at hand, and proposes a fix.',
        arguments: [{ name: 'issue', description: 'URL or short id of the issue', required: true }],
      },
    },
  ],
}

/** After coding agents' helpers with a memory and long instructions. */
export const codeMemory: HonestServer = {
  name: 'code-memory',
  items: [
    tool(
      'initial_instructions',
      'Shows the manual. Unless the client has put it into your context, read it right away when a task comes in, before anything else.',
      {},
      READ,
    ),
    tool(
      'find_symbol',
      'Finds symbols by a name path, e.g. `MyClass/my_method`. Prefer it to reading whole files: it is exact and saves tokens.',
      {
        name_path: text(),
        relative_path: text('Restricts the search'),
        include_body: { type: 'boolean', default: false },
      },
      READ,
    ),
    tool(
      'replace_symbol_body',
      'Replaces the body of a symbol. Only use it if you know what the body looks like now.',
      { name_path: text(), relative_path: text(), body: text() },
      DESTROY,
    ),
    tool(
      'write_memory',
      'Writes what is worth knowing about this project to a Markdown file under .serena/memories, for later conversations. Do not save secrets. Tell the user what you have saved.',
      {
        memory_name: text(),
        content: text(),
      },
    ),
    tool(
      'think_about_collected_information',
      'Think about whether what you have is enough and relevant. ALWAYS do this when a longer search is over.',
      {},
      READ,
    ),
    tool(
      'execute_shell_command',
      'Runs a shell command and returns its output. Never run unsafe commands such as `rm -rf /`, and do not start servers with it. Read the memory "suggested_commands" first.',
      {
        command: text(),
        cwd: text(),
        capture_stderr: { type: 'boolean', default: true },
      },
      DESTROY,
    ),
    {
      kind: 'server',
      descriptor: {
        instructions: `You are an experienced engineer and work on code through symbols, not through text. You depend on the tools of this server for that, and on notes left by earlier sessions.

Whole files are a last resort. I GET REALLY ANGRY when a file of 2000 lines is read for the sake of one function! And what was read in full needs no second look through symbols.

Always begin with \`check_onboarding_performed\`; where it says no, \`onboarding\` comes next. Files that are git-ignored, .env among them, are out of bounds.

If you are unsure what the user wants, ask.`,
        capabilities: { tools: {} },
      },
    },
  ],
  changes: [
    {
      what: 'the manual gains a paragraph',
      kind: 'server',
      before: {
        instructions: 'You are an experienced engineer and work on code through symbols, not through text.',
        capabilities: { tools: {} },
      },
      after: {
        instructions:
          'You are an experienced engineer and work on code through symbols, not through text. Always check with `check_onboarding_performed` whether onboarding has been done. Files that are git-ignored, .env among them, are out of bounds.',
        capabilities: { tools: {} },
      },
    },
  ],
}
