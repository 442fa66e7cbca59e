/** RFC 9110, section 7.6.1, and the older names that proxies have always dropped. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** A copy without what concerns one connection only: the fixed names and those `Connection` lists. */
export function withoutHopHeaders(headers: Headers): Headers {
  const kept = new Headers(headers);
  const listed = (headers.get('connection') ?? '').split(',').map((name) => name.trim());
  for (const name of [...HOP_BY_HOP, ...listed]) {
    // What stands in Connection is the caller's: only a header name can be deleted.
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) kept.delete(name);
  }
  return kept;
}
