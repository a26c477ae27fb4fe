import { type HonestServer, objectOf, text, tool } from '../../example.ts'

const TARGET = {
  element: text('Description of the element in words, used to get permission to interact with it'),
  ref: text('Exact reference of the element, from the snapshot of the page'),
}

export const browser: HonestServer = {
  name: 'browser',
  items: [
    tool(
      'browser_navigate',
      'Navigates to a URL',
      { url: text('The URL to navigate to', { format: 'uri' }) },
      { annotations: { openWorldHint: true } },
    ),
    tool(
      'browser_snapshot',
      'Takes an accessibility snapshot of the page, which is better than a screenshot for acting on it',
      {},
      { annotations: { readOnlyHint: true } },
    ),
    tool('browser_click', 'Clicks on an element of the page', {
      ...TARGET,
      button: { enum: ['left', 'right', 'middle'] },
      doubleClick: { type: 'boolean' },
    }),
    tool('browser_type', 'Types text into a field. Set submit to press Enter afterwards.', {
      ...TARGET,
      text: text(),
      submit: { type: 'boolean' },
    }),
    tool('browser_take_screenshot', "Takes a screenshot. You can't act on a screenshot, use browser_snapshot for that.", {
      filename: text('File name, page-{timestamp}.png by default'),
      fullPage: { type: 'boolean' },
    }),
    tool('browser_handle_dialog', 'Handles a dialog', {
      accept: { type: 'boolean', description: 'Whether to accept' },
      promptText: text('Text for a prompt dialog'),
    }),
    tool('browser_evaluate', 'Evaluates JavaScript on the page', { function: text('() => { /* code */ } or (element) => { /* code */ }') }),
  ],
}

export const docs: HonestServer = {
  name: 'docs',
  items: [
    tool(
      'resolve_library_id',
      'Finds the ID of a library by its name.\n\nYou MUST call this function before get_library_docs to obtain a valid ID, UNLESS the user gives one in the form "/org/project" themselves.\n\nSelection:\n1. Understand what library is meant\n2. Return the best match by name, relevance and number of snippets\n\nIf the query is ambiguous, ask for clarification before guessing.',
      { libraryName: text('Name of the library') },
    ),
    tool(
      'get_library_docs',
      'Fetches current documentation of a library. IMPORTANT: do not call this more than three times per question.',
      {
        libraryId: text('ID as returned by resolve_library_id, e.g. /vercel/next.js or /mongodb/docs/v7'),
        topic: text('e.g. "hooks", "routing"'),
        tokens: {
          type: 'number',
          default: 5000,
          description: 'Most tokens of documentation to return; more tokens give more context but cost more',
        },
      },
    ),
    {
      kind: 'server',
      descriptor: {
        instructions:
          'Use this server whenever the user asks about a library, its API or its setup, even when you think you know the answer, since your knowledge may be out of date.',
        capabilities: { tools: {} },
      },
    },
  ],
}

export const search: HonestServer = {
  name: 'search',
  items: [
    tool(
      'web_search',
      'Searches the web. Best for general questions, news and things that happened recently. At most 20 results per request, `offset` for more.\n\n<when_to_use>\nfacts that change, several sources\n</when_to_use>\n<when_not_to_use>\na known URL: use fetch_page instead\n</when_not_to_use>',
      {
        query: text('Search terms (max 400 characters, 50 words)'),
        count: { type: 'number', default: 10 },
        freshness: text('pd, pw, pm, py, or YYYY-MM-DDtoYYYY-MM-DD'),
      },
    ),
    tool(
      'fetch_page',
      'Fetches a page and turns it into Markdown. Although you may have been told that you have no internet access, this tool gives you some; tell the user so.',
      {
        url: text('URL to fetch', { format: 'uri' }),
        max_length: { type: 'integer', default: 5000, exclusiveMinimum: 0 },
        start_index: { type: 'integer', default: 0, description: 'Where to go on when an earlier fetch was cut off' },
        raw: { type: 'boolean', default: false },
      },
    ),
    {
      kind: 'prompt',
      descriptor: {
        name: 'fetch',
        description: 'Fetches a URL and shows it as Markdown',
        arguments: [{ name: 'url', description: 'URL to fetch', required: true }],
      },
    },
  ],
  changes: [
    {
      what: 'a longer default',
      kind: 'tool',
      before: {
        name: 'fetch_page',
        description: 'Fetches a page.',
        inputSchema: objectOf({ max_length: { type: 'integer', default: 5000 } }),
      },
      after: {
        name: 'fetch_page',
        description: 'Fetches a page.',
        inputSchema: objectOf({ max_length: { type: 'integer', default: 20000 } }),
      },
    },
  ],
}

export const images: HonestServer = {
  name: 'images',
  items: [
    tool(
      'generate_image',
      'Generates an image from words.',
      {
        prompt: text('What to paint. Be specific: subject, light, style. Write it in English.'),
        negative_prompt: text('What to leave out', { default: 'blurry, low quality, watermark, extra fingers, bad anatomy, text' }),
        size: { enum: ['1024x1024', '1536x1024', '1024x1536'], default: '1024x1024' },
        style: {
          oneOf: [
            { const: 'photo', title: 'Photograph, natural light' },
            { const: 'ink', title: 'Ink drawing' },
          ],
        },
      },
      {
        icons: [
          {
            src: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAIUlEQVR42mNk+M/wn4ECwDhqwKgBowaMGjBqwKgBVDIAAI3fDwFpIq3oAAAAAElFTkSuQmCC',
            mimeType: 'image/png',
          },
        ],
      },
    ),
    tool('edit_image', 'Edits an image by a mask. Transparent parts of the mask are painted anew.', {
      image: text('URL or base64 of a PNG'),
      mask: text(),
      prompt: text(),
    }),
    tool('upscale', 'Makes an image larger ×2 or ×4', { image: text(), factor: { enum: [2, 4] } }),
  ],
}
