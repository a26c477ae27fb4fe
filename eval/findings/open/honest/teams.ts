import { type HonestServer, objectOf, text, tool } from '../../example.ts'

const PAGE = {
  page: { type: 'integer', minimum: 1, description: 'Page number' },
  perPage: { type: 'integer', minimum: 1, maximum: 100, description: 'Results per page' },
}
const REPO = { owner: text('Owner of the repository'), repo: text('Name of the repository') }

export const github: HonestServer = {
  name: 'github',
  items: [
    tool('create_issue', 'Create an issue in a repository.', {
      ...REPO,
      title: text('Title of the issue'),
      body: text('Text of the issue'),
      labels: { type: 'array', items: text() },
    }),
    tool(
      'list_issues',
      'List issues of a repository. For pagination, use the "endCursor" of the pageInfo in the response before as "after".',
      { ...REPO, state: { enum: ['OPEN', 'CLOSED'] }, after: text('Cursor'), perPage: PAGE.perPage },
      { annotations: { readOnlyHint: true, title: 'List issues' } },
    ),
    tool(
      'create_or_update_file',
      'Create or update one file in a repository. When updating, you must give the SHA of the file that is replaced; get it with get_file_contents. Prefer push_files for more than one file.',
      {
        ...REPO,
        path: text(),
        content: text(),
        message: text('Commit message'),
        branch: text(),
        sha: text('Blob SHA of the file being replaced'),
      },
    ),
    tool('get_file_contents', 'Get the contents of a file or directory', { ...REPO, path: text(), ref: text('Such as refs/tags/{tag}') }),
    tool('push_files', 'Push several files in one commit', {
      ...REPO,
      branch: text(),
      files: { type: 'array', items: objectOf({ path: text(), content: text() }) },
      message: text(),
    }),
    tool('merge_pull_request', 'Merge a pull request', {
      ...REPO,
      pullNumber: { type: 'number' },
      merge_method: { enum: ['merge', 'squash', 'rebase'] },
    }),
    tool(
      'list_secret_scanning_alerts',
      'List secret scanning alerts of a repository: tokens and private keys that were committed by mistake.',
      {
        ...REPO,
        state: { enum: ['open', 'resolved'] },
        secret_type: text('Types of secrets to return, separated by commas'),
      },
    ),
    tool('search_code', 'Fast, exact search over all code. Example: `content:Skill language:Java org:github`.', { query: text(), ...PAGE }),
    {
      kind: 'server',
      descriptor: {
        instructions:
          "Tools for repositories, issues and pull requests. Use 'list_*' tools for simple retrieval and 'search_*' tools for queries with several criteria. Before creating a pull request, look for a template with get_file_contents. For reviews: create a pending review first, add comments, then submit it.",
        capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
        supportedVersions: ['2026-07-28'],
      },
    },
  ],
  changes: [
    {
      what: 'a new value of an enum',
      kind: 'tool',
      before: {
        name: 'merge_pull_request',
        description: 'Merge a pull request',
        inputSchema: objectOf({ method: { enum: ['merge', 'squash'] } }),
      },
      after: {
        name: 'merge_pull_request',
        description: 'Merge a pull request',
        inputSchema: objectOf({ method: { enum: ['merge', 'squash', 'rebase'] } }),
      },
    },
    {
      what: 'a title and an icon are added',
      kind: 'tool',
      before: { name: 'list_issues', description: 'List issues.', inputSchema: objectOf(REPO) },
      after: {
        name: 'list_issues',
        title: 'List issues',
        description: 'List issues.',
        inputSchema: objectOf(REPO),
        icons: [{ src: 'https://assets.example.com/issues.svg', mimeType: 'image/svg+xml', sizes: ['any'] }],
      },
    },
    {
      what: 'an output schema is added',
      kind: 'tool',
      before: { name: 'get_me', description: 'Details of the user who is signed in', inputSchema: objectOf({}) },
      after: {
        name: 'get_me',
        description: 'Details of the user who is signed in',
        inputSchema: objectOf({}),
        outputSchema: objectOf({ login: text('User name'), id: { type: 'integer' } }),
      },
    },
  ],
}

export const slack: HonestServer = {
  name: 'slack',
  items: [
    tool('slack_list_channels', 'List public channels, or those given beforehand, with pagination', {
      limit: { type: 'number', default: 100, maximum: 200 },
      cursor: text('Pagination cursor for the next page'),
    }),
    tool('slack_post_message', 'Post a message to a channel or a direct message to a user', {
      channel_id: text('ID of the channel'),
      text: text('The message'),
    }),
    tool('slack_reply_to_thread', 'Reply to a thread', {
      channel_id: text(),
      thread_ts: text('Timestamp of the parent message, as "1234567890.123456". Without the dot, put it before the last six digits.'),
      text: text(),
    }),
    tool('slack_get_channel_history', 'Get recent messages of a channel', { channel_id: text(), limit: { type: 'number', default: 10 } }),
    tool('slack_get_thread_replies', 'Get all replies of a thread', { channel_id: text(), thread_ts: text() }),
    tool(
      'slack_search',
      'Search messages. Modifiers: in:#channel, from:@user, before:2026-01-31, has:link. DO NOT search private channels unless the user asked for it.',
      {
        query: text(),
      },
    ),
    tool('slack_get_user_profile', 'Get a profile: name, e-mail address, phone, time zone', { user_id: text() }),
    tool('slack_add_reaction', 'Add an emoji 👍🏽 to a message', {
      channel_id: text(),
      timestamp: text(),
      reaction: text('Name of the emoji, without ::'),
    }),
  ],
}

export const calendar: HonestServer = {
  name: 'calendar',
  items: [
    tool(
      'list_events',
      'Lists events in a time range. Always use ISO 8601 with an offset. If the user does not name a calendar, use "primary".',
      {
        calendarId: text(undefined, { default: 'primary' }),
        timeMin: text('Start, e.g. 2026-03-01T00:00:00+01:00', { format: 'date-time' }),
        timeMax: text('End', { format: 'date-time' }),
      },
    ),
    tool('create_event', 'Creates an event. Ask the user before inviting people outside the organisation.', {
      summary: text('Title of the event'),
      start: text(undefined, { format: 'date-time' }),
      end: text(undefined, { format: 'date-time' }),
      attendees: { type: 'array', items: objectOf({ email: text(undefined, { format: 'email' }) }) },
      recurrence: { type: 'array', items: text(), examples: [['RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR']] },
      reminders: { type: 'array', items: objectOf({ method: { enum: ['email', 'popup'] }, minutes: { type: 'integer', minimum: 0 } }) },
    }),
    tool(
      'delete_event',
      'Deletes an event. This cannot be undone.',
      { eventId: text(), sendUpdates: { enum: ['all', 'externalOnly', 'none'] } },
      {
        annotations: { destructiveHint: true },
      },
    ),
    tool('find_free_time', 'Finds times in which everybody is free.', {
      attendees: { type: 'array', items: text('E-mail address, e.g. anna@example.com') },
      duration: { type: 'integer', description: 'Minutes', minimum: 5 },
    }),
    {
      kind: 'prompt',
      descriptor: {
        name: 'plan_week',
        title: 'Plan my week 🗓️',
        description: 'Looks at the events of the week and suggests blocks for undisturbed work',
        arguments: [
          { name: 'week', description: 'ISO week such as 2026-W07', required: true },
          { name: 'focus', description: 'What matters most this week' },
        ],
      },
    },
    {
      kind: 'resource',
      descriptor: {
        uri: 'calendar://primary/today',
        name: 'Today',
        mimeType: 'application/json',
        annotations: { audience: ['user', 'assistant'], priority: 0.8 },
      },
    },
  ],
}
