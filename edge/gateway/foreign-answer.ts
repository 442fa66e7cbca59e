import { Problem } from '../http/problem.ts';
import { withoutHopHeaders } from './hop-headers.ts';

/**
 * What a service elsewhere may not tell a browser: it answers under the dashboard's origin, and these
 * speak for all of that. The gateway writes its own CORS and policies afterwards.
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

/** Nothing in these can act in a page, whatever they hold; all else is for saving, not for showing. */
const PASSIVE =
  /^(?:application\/(?:[\w.-]+\+)?json|application\/(?:jsonl|x-ndjson|octet-stream)|text\/(?:plain|csv|event-stream)|(?:audio|video|font)\/[\w.+-]+|image\/(?!svg)[\w.-]+)$/;

const POLICIES: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** The headers of an answer of a service that shares the dashboard's origin and nothing else with it. */
export function foreignHeaders(answer: Response): Headers {
  const own = withoutHopHeaders(answer.headers).filter(
    ([name]) => !NOT_ITS_OWN.has(name) && !NOT_ITS_OWN_KINDS.test(name),
  );
  const headers = new Headers(own);
  for (const [name, value] of Object.entries(POLICIES)) headers.set(name, value);
  const isSaved = /^attachment\b/i.test(headers.get('content-disposition') ?? '');
  if (answer.body && !isSaved && !isPassive(headers))
    headers.set('content-disposition', 'attachment');
  // A window of the browser's own that asks for a password looks like one of ours.
  if (!/^bearer\b/i.test(headers.get('www-authenticate') ?? 'bearer'))
    headers.delete('www-authenticate');
  return headers;
}

function isPassive(headers: Headers): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return PASSIVE.test(type.trim().toLowerCase());
}

/** As what a browser would run an answer, or show it inside of a page. */
const ACTIVE_USES =
  /^(?:script|style|xslt|.*worker|worklet|.*worklet|manifest|i?frame|object|embed)$/;

/** A page of ours never runs what a service elsewhere serves. @throws Problem forbidden */
export function refuseActiveUse({ headers }: Request): void {
  const use = headers.get('sec-fetch-dest') ?? 'empty';
  if (!ACTIVE_USES.test(use)) return;
  throw new Problem(
    'forbidden',
    `What a registered service answers is not used as ${use.slice(0, 40)}: it would act as the dashboard. Fetch it, or save it.`,
  );
}
