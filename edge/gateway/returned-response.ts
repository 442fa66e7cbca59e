import { Problem } from '../http/problem.ts';

/** RFC 9110, section 7.6.1, and the older names that proxies have always dropped. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers without the hop-by-hop ones: the fixed names and those listed in `Connection`. As
 * pairs, because this runs twice per forwarded request, and reading all headers at once takes a
 * fraction of the time that deleting from a copy does.
 */
export function withoutHopHeaders(headers: Headers): [name: string, value: string][] {
  const pairs = [...headers];
  const connection = pairs.find(([name]) => name === 'connection')?.[1].toLowerCase() ?? '';
  const listed = connection.split(',').map((name) => name.trim());
  return pairs.filter(([name]) => !HOP_BY_HOP.has(name) && !listed.includes(name));
}

/**
 * Headers that an external service may not send to a browser: it responds under the dashboard's
 * origin, and these apply to all of that. The gateway adds its own CORS headers and policies
 * afterwards.
 */
const NOT_ITS_OWN: ReadonlySet<string> = new Set([
  'accept-ch',
  'alt-svc',
  'clear-site-data',
  'content-security-policy-report-only',
  'critical-ch',
  'document-policy',
  'expect-ct',
  'link',
  'nel',
  'origin-agent-cluster',
  'permissions-policy',
  'public-key-pins',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'sourcemap',
  'speculation-rules',
  'strict-transport-security',
  'timing-allow-origin',
  'x-frame-options',
  'x-sourcemap',
]);
const NOT_ITS_OWN_KINDS = /^(?:access-control-|cross-origin-)/;

/**
 * Content that cannot act in a page, whatever it holds; everything else is offered for download.
 */
const PASSIVE =
  /^(?:application\/(?:[\w.-]+\+)?json|application\/(?:jsonl|x-ndjson|octet-stream)|text\/(?:plain|csv|event-stream)|(?:audio|video|font)\/[\w.+-]+|image\/(?!svg)[\w.-]+)$/;

const POLICIES: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * The headers of a response of a service that shares the dashboard's origin but is not trusted with
 * it.
 */
function untrustedHeaders(answer: Response): Headers {
  const own = withoutHopHeaders(answer.headers).filter(
    ([name]) => !NOT_ITS_OWN.has(name) && !NOT_ITS_OWN_KINDS.test(name),
  );
  const headers = new Headers(own);
  for (const [name, value] of Object.entries(POLICIES)) headers.set(name, value);
  const isSaved = /^attachment\b/i.test(headers.get('content-disposition') ?? '');
  if (answer.body && !isSaved && !isPassive(headers))
    headers.set('content-disposition', 'attachment');
  // A native password prompt of the browser would look like one of ours.
  if (!/^bearer\b/i.test(headers.get('www-authenticate') ?? 'bearer'))
    headers.delete('www-authenticate');
  return headers;
}

function isPassive(headers: Headers): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return PASSIVE.test(type.trim().toLowerCase());
}

/**
 * A service's response without hop-by-hop headers; an external one does not speak for our origin.
 */
export function returnedResponse(answer: Response, isOurs: boolean): Response {
  const headers = isOurs ? withoutHopHeaders(answer.headers) : untrustedHeaders(answer);
  const { status, statusText, webSocket } = answer;
  return new Response(answer.body, { status, statusText, headers, webSocket });
}

/** Uses in which a browser would run a response or embed it in a page. */
const ACTIVE_USES =
  /^(?:script|style|xslt|.*worker|worklet|.*worklet|manifest|i?frame|object|embed)$/;

/** Refuses to serve an external response as active content of a page. @throws Problem forbidden */
export function refuseActiveUse({ headers }: Request): void {
  const use = headers.get('sec-fetch-dest') ?? 'empty';
  if (!ACTIVE_USES.test(use)) return;
  throw new Problem(
    'forbidden',
    `What a registered service answers is not used as ${use.slice(0, 40)}: it would act as the dashboard. Fetch it, or save it.`,
  );
}
