import { type JsonSchema, type Reference, refTo } from './document.ts';

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

const text = (description: string): Header => ({ description, schema: { type: 'string' } });

/** The headers of answers, by the name that operations refer to them with. */
export const HEADERS = {
  'X-Request-Id': text('The id of the request: the one that was sent, or a new one.'),
  traceparent: text('W3C Trace Context: the trace of the request, with the span of this service.'),
  ETag: text('A strong validator of what was answered, for If-Match and If-None-Match.'),
  Location: text('Where the record is.'),
  'Content-Location': text('The address of exactly this content.'),
  'Accept-Ranges': text('Ranges can be asked for in `bytes`.'),
  'Content-Range': text('Which bytes these are, and of how many.'),
  'Repr-Digest': text('The SHA-256 of the whole representation (RFC 9530).'),
  'WWW-Authenticate': text('Which credentials are taken.'),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  RateLimit: text('What is left of the limit, such as `"default";r=7;t=1`.'),
  'RateLimit-Policy': text('The limit, such as `"default";q=100;w=1`.'),
  'Idempotency-Replayed': text('`true` where the answer is that of an earlier request.'),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).'),
  Sunset: text('When the operation goes away (RFC 8594).'),
  'Upload-Offset': text('How many bytes have arrived (tus 1.0).'),
  'Upload-Length': text('How many bytes the whole upload has (tus 1.0).'),
  'Upload-Expires': text('When an unfinished upload is cleared away (tus 1.0).'),
  'Tus-Resumable': text('The version of tus that is spoken.'),
} as const satisfies Record<string, Header>;
type HeaderName = keyof typeof HEADERS;

const ENTITY_TAGS: JsonSchema = { type: 'string', pattern: '^(?:\\*|(?:W/)?"[!#-~]*")$' };
const WHOLE: JsonSchema = { type: 'string', pattern: '^(?:0|[1-9][0-9]{0,14})$' };

/** Schemas of request headers, by name. */
const REQUEST_HEADERS: Readonly<Record<string, JsonSchema>> = {
  // The draft writes it in quotes; nearly everybody leaves them out.
  'idempotency-key': { type: 'string', pattern: '^(?:"[!-~]{1,253}"|[!#-~][!-~]{0,254})$' },
  'if-match': ENTITY_TAGS,
  'if-none-match': ENTITY_TAGS,
  range: { type: 'string', pattern: '^bytes=(?:[0-9]{1,15}-[0-9]{0,15}|-[0-9]{1,15})$' },
  'last-event-id': WHOLE,
  'tus-resumable': { type: 'string', enum: ['1.0.0'] },
  'upload-checksum': {
    type: 'string',
    pattern: '^(?:sha1 [A-Za-z0-9+/]{27}=|sha256 [A-Za-z0-9+/]{43}=)$',
  },
  'upload-offset': WHOLE,
  'upload-length': WHOLE,
  'x-http-method-override': { type: 'string', enum: ['HEAD', 'PATCH', 'DELETE'] },
};

export const requestHeader = (name: string): JsonSchema =>
  REQUEST_HEADERS[name] ?? { type: 'string' };

/** Headers that every answer carries. */
const EVERYWHERE: readonly HeaderName[] = ['X-Request-Id', 'traceparent'];

/** Headers that come with a status, whatever the operation. */
export const BY_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
};

/** The headers of an answer: those of every answer, and these. */
export const headersOf = (names: readonly string[]): Readonly<Record<string, Reference>> =>
  Object.fromEntries([...EVERYWHERE, ...names].map((name) => [name, refTo('headers', name)]));
