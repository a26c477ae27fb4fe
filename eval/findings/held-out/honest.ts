import { type HonestServer, objectOf, text, tool } from '../example.ts'

const READ = { annotations: { readOnlyHint: true } }

const design: HonestServer = {
  name: 'design',
  items: [
    tool(
      'get_code',
      'Generates UI code for a node. If a component library is set up, always prefer its components to new ones. After you call this tool, you must call get_screenshot for the node as well.',
      {
        nodeId: text('Such as "123:456", or "123-456" from a URL'),
        clientFrameworks: text('e.g. react, vue'),
      },
    ),
    tool('get_screenshot', 'Takes a screenshot of a node, or of what is selected when no node is given', { nodeId: text() }, READ),
    tool('get_variables', 'Variables of a node: colours, sizes, fonts. E.g. {"icon/default/secondary": #949494}', { nodeId: text() }, READ),
    {
      kind: 'server',
      descriptor: {
        instructions:
          'Works on the file that is open in the editor. Keep answers short. Do not invent colours: ask for the variables. Never hardcode what a variable stands for.',
        capabilities: { tools: {} },
      },
    },
  ],
}

const cloud: HonestServer = {
  name: 'cloud',
  items: [
    tool('deploy_service', 'Deploys a container. Existing environment variables are kept unless they are listed here.', {
      image: text(),
      env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Environment variables to pass to the container' },
    }),
    tool(
      'get_logs',
      'Log entries of a service. Sensitive values are redacted on the server.',
      { service: text(), filter: text('severity>=ERROR AND timestamp>"2026-01-01T00:00:00Z"') },
      READ,
    ),
    tool('set_secret', 'Creates or replaces a secret. Its value is write-only and cannot be read back.', {
      name: text(),
      value: text('The secret value'),
    }),
    tool('run_command', 'Runs a command of the command line tool. Do not use it for anything that has a tool of its own here.', {
      command: text(),
    }),
    tool(
      'delete_project',
      'Deletes a project and everything in it after 30 days. Requires confirmation by the user.',
      { projectId: text() },
      { annotations: { destructiveHint: true } },
    ),
  ],
  changes: [
    {
      what: 'a limit is raised',
      kind: 'tool',
      before: { name: 'get_logs', description: 'Log entries', inputSchema: objectOf({ limit: { type: 'integer', maximum: 100 } }) },
      after: { name: 'get_logs', description: 'Log entries', inputSchema: objectOf({ limit: { type: 'integer', maximum: 1000 } }) },
    },
  ],
}

const shopping: HonestServer = {
  name: 'shopping',
  items: [
    tool(
      'search_catalog',
      'Searches products. Prices include VAT. Show at most five results to the user, with price and delivery time.',
      { query: text(), maxPrice: { type: 'number' } },
      READ,
    ),
    tool('add_to_cart', 'Adds a product to the cart. It does not order anything.', {
      productId: text(),
      quantity: { type: 'integer', minimum: 1, default: 1 },
    }),
    tool('checkout', 'Orders what is in the cart. Only call it after the user has explicitly confirmed the total.', {
      addressId: text(),
      paymentMethodId: text('Stored payment method; card numbers are never sent here'),
    }),
    tool('track_order', 'Where a parcel is', { orderNumber: text('e.g. 302-1234567-1234567') }, READ),
  ],
}

const analytics: HonestServer = {
  name: 'analytics',
  items: [
    tool(
      'run_report',
      'Runs a report. Dates: YYYY-MM-DD, yesterday, today or NdaysAgo.',
      {
        metrics: { type: 'array', items: { enum: ['activeUsers', 'sessions', 'screenPageViews'] } },
        dimensions: { type: 'array', items: text() },
        dateRange: text(undefined, { default: 'last 28 days' }),
      },
      READ,
    ),
    tool(
      'ask_question',
      'Answers a question about the data in natural language. Pass the question as the user asked it; do not add assumptions of your own.',
      { question: text() },
      READ,
    ),
    tool('export_csv', 'Exports a report as CSV, separated by ; in German locales', { reportId: text() }),
    {
      kind: 'resource',
      descriptor: {
        uri: 'analytics://schema',
        name: 'Schema',
        title: 'All metrics and dimensions',
        description: 'Read this before composing a report',
        mimeType: 'application/json',
      },
    },
    {
      kind: 'prompt',
      descriptor: {
        name: 'monthly',
        title: 'Monthly summary',
        description: 'Compares this month with the one before and explains the largest differences',
        arguments: [
          { name: 'month', required: true },
          { name: 'audience', description: 'Who will read it' },
        ],
      },
    },
  ],
}

const homeAutomation: HonestServer = {
  name: 'home',
  items: [
    tool('turn_on', 'Turns devices on. When several match, ask which one is meant.', {
      name: text('e.g. "kitchen light" or "Küche"'),
      area: text(),
    }),
    tool(
      'unlock_door',
      'Unlocks a door. Needs the PIN of the user; never store it.',
      { door: text(), pin: text('PIN', { pattern: '^[0-9]{4,8}$' }) },
      { annotations: { destructiveHint: true } },
    ),
    tool('get_state', 'State of a device 🌡️💡', { name: text() }, READ),
    tool('set_thermostat', 'Temperature in °C or °F', { value: { type: 'number', minimum: 5, maximum: 30 } }),
  ],
  changes: [
    {
      what: 'a synonym in a description',
      kind: 'tool',
      before: { name: 'turn_on', description: 'Turns devices on.', inputSchema: objectOf({ name: text() }) },
      after: { name: 'turn_on', description: 'Turns devices on. Also for "open" and "start".', inputSchema: objectOf({ name: text() }) },
    },
  ],
}

/** Written before the second round of work on the scanners, and not looked at since. */
export const honest: readonly HonestServer[] = [design, cloud, shopping, analytics, homeAutomation]
