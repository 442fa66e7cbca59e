const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'if-range',
  'range',
  'traceparent',
  'tus-resumable',
  'upload-checksum',
  'upload-length',
  'upload-metadata',
  'upload-offset',
  'x-request-id',
  'x-spikegrid-region',
].join(', ');

const ANSWER_HEADERS = [
  'content-disposition',
  'content-range',
  'deprecation',
  'etag',
  'idempotency-replayed',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'repr-digest',
  'retry-after',
  'sunset',
  'traceparent',
  'tus-resumable',
  'upload-expires',
  'upload-length',
  'upload-offset',
  'x-request-id',
].join(', ');

/**
 * Answers a browser that asks whether a page of another origin may send a request; undefined where
 * nobody asks that, or the origin is not one of those allowed.
 */
export function preflightResponse(
  { method, headers }: Request,
  allowed: ReadonlySet<string>,
): Response | undefined {
  const isPreflight = method === 'OPTIONS' && headers.has('access-control-request-method');
  if (!isPreflight || !allowed.has(headers.get('origin') ?? '')) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': '7200',
    },
  });
}

/**
 * Lets a page of an allowed origin read an answer. Cookies do not cross origins here, so there is
 * no Allow-Credentials: such a page sends a key or a token.
 */
export function writeCors(
  answer: Headers,
  { headers }: Request,
  allowed: ReadonlySet<string>,
): void {
  if (allowed.size === 0) return;
  answer.append('vary', 'origin');
  const origin = headers.get('origin');
  if (origin === null || !allowed.has(origin)) return;
  answer.set('access-control-allow-origin', origin);
  answer.set('access-control-expose-headers', ANSWER_HEADERS);
}

/** The origins CORS_ORIGINS lists. @throws TypeError where one of them is none */
export function parseOrigins(setting: readonly string[] | string): ReadonlySet<string> {
  // A setting that is given on a command line is always a text.
  const origins = typeof setting === 'string' ? setting.split(/[\s,]+/).filter(Boolean) : setting;
  for (const origin of origins) {
    if (URL.parse(origin)?.origin !== origin || origin.includes('*')) {
      throw new TypeError(
        `CORS_ORIGINS names ${JSON.stringify(origin)}, expected an origin such as https://app.example`,
      );
    }
  }
  return new Set(origins);
}
