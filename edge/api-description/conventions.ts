/** Conventions of every operation, in Markdown. */
export const CONVENTIONS = [
  'Refusals are problem documents (RFC 9457). `code` says which; `type` leads to what it means;',
  '`errors` names each offending place; `retryable` says whether the same request may succeed later.',
  '',
  'Times are ISO 8601 in UTC. Lists come in pages: `limit`, and `cursor` with the `next_cursor` of',
  'the page before. A name that a query or a body does not know is refused, not ignored.',
  '',
  'Every answer carries `X-Request-Id` and `traceparent`, taken over from the request where it has',
  'them. Answers may gain members and problems may gain codes; nothing here is taken away.',
].join('\n');
