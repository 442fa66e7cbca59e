import { Problem } from './problem.ts';

/** True if a caller accepts server-sent events. */
export const wantsEvents = (headers: Headers): boolean =>
  headers.get('accept')?.includes('text/event-stream') === true;

/** Last event ID of a resumed stream; undefined for a new one. @throws Problem invalid_parameter */
export function lastEventId(headers: Headers): number | undefined {
  const text = headers.get('last-event-id');
  if (text === null || text === '') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Problem('invalid_parameter', 'Last-Event-ID: expected the id of an event, a number.', {
    errors: [{ parameter: 'last-event-id', code: 'invalid_format', detail: 'expected a number' }],
  });
}
