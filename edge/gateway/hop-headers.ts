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
 * The headers without what concerns one connection only: the fixed names and those `Connection`
 * lists. Pairs, as this is done twice for every request that is forwarded: reading all headers at
 * once takes a fraction of the time that deleting from a copy does.
 */
export function withoutHopHeaders(headers: Headers): [name: string, value: string][] {
  const pairs = [...headers];
  const connection = pairs.find(([name]) => name === 'connection')?.[1].toLowerCase() ?? '';
  const listed = connection.split(',').map((name) => name.trim());
  return pairs.filter(([name]) => !HOP_BY_HOP.has(name) && !listed.includes(name));
}
