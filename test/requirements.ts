/**
 * What standards demand of a gateway like this one and what we claim to do: id → where it is written → the demand in our own words.
 * Tests cite the ids in their names, as `[REQ-…]`; requirements.test.ts fails on an id that no test cites, and on a citation of none.
 */
export interface Requirement {
  readonly link: string
  readonly says: string
}

const MCP = 'https://modelcontextprotocol.io/specification/2026-07-28'
const HTTP = `${MCP}/basic/transports/streamable-http`
const STDIO = `${MCP}/basic/transports/stdio`
const BASE = `${MCP}/basic/index`
const AUTH = `${MCP}/basic/authorization/index`
const PAGING = `${MCP}/server/utilities/pagination`
const CACHING = `${MCP}/server/utilities/caching`
const TOOLS = `${MCP}/server/tools`
const TASKS = 'https://modelcontextprotocol.io/seps/2663-tasks-extension'
const LISTEN = `${MCP}/basic/patterns/subscriptions`
const RFC6570 = 'https://www.rfc-editor.org/rfc/rfc6570'
const RFC6750 = 'https://www.rfc-editor.org/rfc/rfc6750'
const RFC8707 = 'https://www.rfc-editor.org/rfc/rfc8707'
const RFC9110 = 'https://www.rfc-editor.org/rfc/rfc9110'
const RFC9112 = 'https://www.rfc-editor.org/rfc/rfc9112'
const RFC9728 = 'https://www.rfc-editor.org/rfc/rfc9728'

const at = (link: string, says: string): Requirement => ({ link, says })

export const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
  'REQ-STDIO-LINE': at(STDIO, 'A message to a program is one line and holds no line break.'),
  'REQ-STDIO-SUBSCRIPTION': at(`${STDIO}#receiving-messages`, 'News on a shared channel are told apart by the id of their subscription.'),
  'REQ-STDIO-CANCEL': at(`${STDIO}#cancellation`, 'A program is told of each request that is given up.'),
  'REQ-STDIO-FALLBACK': at(`${STDIO}#backward-compatibility`, 'The fallback to initialize hangs on no single error, and on none at all.'),
  'REQ-HTTP-ORIGIN': at(`${HTTP}#security-endpoint`, 'An Origin that is present and not allowed gets 403, on every connection.'),
  'REQ-HTTP-SINGLE': at(`${HTTP}#sending-messages`, 'A POST holds one request or notification; responses and lists are not taken.'),
  'REQ-HTTP-ANSWER-TYPE': at(`${HTTP}#sending-messages`, 'A request is answered as one JSON object or as an event stream, nothing else.'),
  'REQ-NOTIFICATION-202': at(`${HTTP}#sending-messages`, 'A notification that is taken gets 202 and no body.'),
  'REQ-NOTIFICATION-ERROR': at(
    `${HTTP}#sending-messages`,
    'A notification that is not taken gets an HTTP error status; an error body has no id.',
  ),
  'REQ-STREAM-RELATED': at(`${HTTP}#receiving-messages`, 'Notifications on the stream of a request belong to that request.'),
  'REQ-STREAM-NO-REQUEST': at(`${HTTP}#receiving-messages`, 'A server sends no request of its own on the stream of a request.'),
  'REQ-CANCEL-DISCONNECT': at(`${HTTP}#cancellation`, 'A caller that closes its response stream has cancelled the request.'),
  'REQ-VERSION-MATCH': at(
    `${HTTP}#protocol-version-header`,
    'The version header and the version in `_meta` are the same, or the request is refused as a mismatch.',
  ),
  'REQ-VERSION-UNSUPPORTED': at(
    `${HTTP}#protocol-version-header`,
    'A version that is not served gets 400 with the list of those that are.',
  ),
  'REQ-METHOD-UNKNOWN': at(`${HTTP}#protocol-version-header`, 'A method that is not served gets 404 with the JSON-RPC code for it.'),
  'REQ-HEADER-REQUIRED': at(
    `${HTTP}#standard-request-headers`,
    'Version and method stand in headers of every request, the name in those that name something.',
  ),
  'REQ-HEADER-MATCH': at(
    `${HTTP}#server-validation`,
    'A standard header that says something else than the body gets 400 and the mismatch code.',
  ),
  'REQ-HEADER-CASE': at(`${HTTP}#case-sensitivity`, 'Header names are compared without case, header values with it.'),
  'REQ-HEADER-DECODE': at(`${HTTP}#value-encoding`, 'A value between Base64 markers is decoded before it is compared.'),
  'REQ-HEADER-PARAM-MATCH': at(
    `${HTTP}#server-behavior-for-custom-headers`,
    'A mirrored argument and its header agree, and the header is well-formed, or the request is refused.',
  ),
  'REQ-HEADER-PARAM-MISSING': at(
    `${HTTP}#server-behavior-for-custom-headers`,
    'An argument that should be mirrored and has no header gets the request refused.',
  ),
  'REQ-HEADER-PARAM-NULL': at(`${HTTP}#server-behavior-for-custom-headers`, 'An argument that is null or absent needs no header.'),
  'REQ-XHEADER-SYNTAX': at(
    `${HTTP}#schema-extension`,
    'The name in an annotation is a non-empty token without control characters, on a string, an integer or a boolean.',
  ),
  'REQ-XHEADER-UNIQUE': at(`${HTTP}#schema-extension`, 'No two annotations of a schema share a name, compared without case.'),
  'REQ-XHEADER-REACHABLE': at(`${HTTP}#schema-extension`, 'An annotated property is reached from the root through `properties` alone.'),
  'REQ-XHEADER-EXCLUDE': at(`${HTTP}#schema-extension`, 'A tool with a bad annotation is left out of lists, and only that tool.'),
  'REQ-HTTP-LEGACY-METHODS': at(
    `${HTTP}#earlier-streamable-http-revisions`,
    'GET and DELETE of older revisions get 405 where only this revision is served.',
  ),

  'REQ-RPC-ENVELOPE': at(`${BASE}#messages`, 'Messages are JSON-RPC 2.0, with the envelope it defines.'),
  'REQ-RPC-ID': at(`${BASE}#requests`, 'A request has an id that is a text or an integer, and never null.'),
  'REQ-RPC-ID-ECHO': at(`${BASE}#result-responses`, 'A response carries the id of its request.'),
  'REQ-RESULT-TYPE': at(`${BASE}#resulttype`, 'Every result says of which type it is.'),
  'REQ-ERROR-CODES': at(
    `${BASE}#error-codes`,
    'No code of the reserved range is sent that the specification does not define, or with another meaning.',
  ),
  'REQ-STATELESS': at(`${BASE}#statelessness`, 'Nothing about a request is taken from an earlier one on the same connection.'),
  'REQ-META-REQUIRED': at(`${BASE}#_meta`, 'A request whose `_meta` lacks a required field gets 400 and the code for bad parameters.'),
  'REQ-SCHEMA-DIALECT': at(
    `${BASE}#implementation-requirements`,
    'A schema is judged under its declared dialect or 2020-12; an unknown dialect is refused with a reason.',
  ),
  'REQ-REF-NETWORK': at(`${BASE}#ref-resolution`, 'A reference in a schema is never fetched from a network.'),

  'REQ-DISCOVER': at(`${MCP}/server/discover`, 'Every server answers `server/discover`.'),
  'REQ-TOOLS-CAPABILITY': at(`${TOOLS}#capabilities`, 'A server with tools says so, and lists them, the same way on every connection.'),
  'REQ-TOOLS-INPUT': at(`${TOOLS}#security-considerations`, 'All input of a tool is validated.'),
  'REQ-TOOLS-ACCESS': at(`${TOOLS}#security-considerations`, 'Who may use a tool is controlled.'),
  'REQ-TOOLS-RATE': at(`${TOOLS}#security-considerations`, 'How often a tool may be called is limited.'),
  'REQ-TOOLS-OUTPUT': at(`${TOOLS}#output-schema`, 'Structured output fits the schema that was shown for it.'),
  'REQ-LIST-CURSOR': at(`${PAGING}#response-format`, 'A list that goes on has a cursor, and one without a cursor is at its end.'),
  'REQ-CURSOR-INVALID': at(`${PAGING}#error-handling`, 'A cursor that is not valid gets the code for bad parameters.'),
  'REQ-CACHE-HINTS': at(
    `${CACHING}#cacheable-results`,
    'Lists and discovery say how long they may be kept, never less than zero, and by whom.',
  ),
  'REQ-CACHE-SCOPE-PAGES': at(`${CACHING}#interaction-with-pagination`, 'All pages of a list have one scope of caching.'),
  'REQ-PROGRESS-TOKEN': at(
    `${MCP}/basic/patterns/progress#behavior-requirements`,
    'Progress names a token that the caller gave for a request still running.',
  ),
  'REQ-LOG-UNASKED': at(
    `${MCP}/server/utilities/logging#per-request-log-level`,
    'Log messages reach only a caller whose request asked for them, from its level up.',
  ),

  'REQ-ELICITATION-MODES': at(
    `${MCP}/client/elicitation#capabilities`,
    'A caller that declares elicitation without a mode takes forms, and nothing else.',
  ),
  'REQ-MRTR-RESPONSES': at(
    `${MCP}/basic/patterns/mrtr#error-handling`,
    'What a caller sends back is a map of answers, or the request is refused with the code for bad parameters.',
  ),
  'REQ-MRTR-METHODS': at(
    `${MCP}/basic/patterns/mrtr#supported-requests`,
    'Questions are an answer to tool calls, prompts and reads, and to no other request.',
  ),
  'REQ-MRTR': at(
    `${MCP}/basic/patterns/mrtr#basic-workflow`,
    'A request that a server answers with questions is made again with the answers and the state that came with them.',
  ),
  'REQ-MRTR-SOMETHING': at(
    `${MCP}/basic/patterns/mrtr#server-requirements-basic-workflow`,
    'An answer that wants to be asked again has questions, a state, or both.',
  ),
  'REQ-MRTR-ECHO': at(
    `${MCP}/basic/patterns/mrtr#client-requirements-basic-workflow`,
    'A server gets back the very state it gave with its questions, and none where it gave none.',
  ),
  'REQ-CACHE-MRTR': at(`${CACHING}#cache-key`, 'What answers to questions have led to is not kept.'),
  'REQ-COMPLETION-INPUT': at(`${MCP}/server/utilities/completion#security`, 'All input of a completion is validated.'),
  'REQ-RESOURCES-NOT-FOUND': at(`${MCP}/server/resources#error-handling`, 'A resource that is not there gets the code for bad parameters.'),
  'REQ-URI-SCHEME': at(`${MCP}/server/resources#custom-uri-schemes`, 'URIs under a scheme of our own are those of RFC 3986.'),
  'REQ-URI-TEMPLATE': at(`${RFC6570}#section-3`, 'A template stands for the URIs that its expansion can give, and for no others.'),
  'REQ-SUBSCRIPTIONS-ACK': at(`${LISTEN}#acknowledgment`, 'A subscription is acknowledged with the part of its filter that is honoured.'),
  'REQ-SUBSCRIPTIONS-GRACEFUL': at(`${LISTEN}#graceful-closure`, 'A subscription that the server ends gets its final result first.'),
  'REQ-SUBSCRIPTIONS-ID': at(
    `${LISTEN}#receiving-notifications`,
    'All that is said on a subscription carries the id of the request that opened it.',
  ),
  'REQ-TASKS-NAME': at(`${TASKS}#streamable-http-routing-headers`, 'The name in the header of a task request is the id of the task.'),
  'REQ-TASKS-NEGOTIATED': at(
    `${TASKS}#capability-negotiation`,
    'Only a caller that declares the extension in its request is given a task.',
  ),
  'REQ-TASKS-TYPE': at(`${TASKS}#polymorphic-results`, 'Only the answer to a tool call begins a task, and says so in its type.'),
  'REQ-TASKS-WHOLE': at(`${TASKS}#task-status-notifications`, 'A notification of a task tells all that asking for it would.'),
  'REQ-TASKS-LISTEN': at(`${TASKS}#capability-negotiation`, 'Who asks to be told of tasks declares the extension in that request.'),
  'REQ-TASKS-CAPABILITY': at(
    `${TASKS}#protocol-errors`,
    'Task requests and task notifications of a caller that does not declare the extension get the code for a missing capability.',
  ),

  'REQ-AUTH-CHALLENGE': at(`${RFC6750}#section-3`, 'A request without usable credentials gets 401 and a Bearer challenge.'),
  'REQ-TOKEN-VALIDATE': at(`${AUTH}#token-handling`, 'Tokens are validated, and one that is invalid or expired gets 401.'),
  'REQ-TOKEN-AUDIENCE': at(`${RFC8707}#section-2`, 'Only a token that names this resource as its audience is taken.'),
  'REQ-TOKEN-HEADER': at(`${AUTH}#token-requirements`, 'A token is read from the Authorization header alone.'),
  'REQ-TOKEN-QUERY': at(`${AUTH}#token-requirements`, 'A token in the URL is none.'),
  'REQ-TOKEN-EVERY-REQUEST': at(`${AUTH}#token-requirements`, 'Every request carries its own token.'),
  'REQ-TOKEN-PASSTHROUGH': at(
    `${MCP}/basic/authorization/security-considerations#access-token-privilege-restriction`,
    'A token of a caller is never passed on to a server.',
  ),
  'REQ-TOKEN-SCHEME': at(`${RFC9110}#section-11.1`, 'The authentication scheme is compared without case.'),
  'REQ-SCOPE-403': at(`${RFC6750}#section-3.1`, 'A token that lacks a scope gets 403 and says `insufficient_scope`.'),
  'REQ-SCOPE-CHALLENGE': at(
    `${AUTH}#runtime-insufficient-scope-errors`,
    'One challenge names all scopes the operation needs, and where the metadata is.',
  ),
  'REQ-PRM-PATH': at(
    `${RFC9728}#section-3.1`,
    'The metadata of a resource with a path stands at the well-known path followed by that path.',
  ),
  'REQ-PRM-RESOURCE': at(`${RFC9728}#section-3.3`, 'The resource in the metadata is exactly the one it was asked for.'),
  'REQ-PRM-SERVERS': at(
    `${MCP}/basic/authorization/authorization-server-discovery`,
    'The metadata names at least one authorization server.',
  ),
  'REQ-PRM-CHALLENGE': at(`${RFC9728}#section-5.1`, 'The challenge says where the metadata is.'),

  'REQ-HTTP-FRAMING': at(
    `${RFC9112}#section-6.3`,
    'A message whose length is said in two ways or badly is refused and its connection closed.',
  ),
  'REQ-HTTP-HOST': at(`${RFC9112}#section-3.2`, 'A request without exactly one valid Host header gets 400.'),
}
