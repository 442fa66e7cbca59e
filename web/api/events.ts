import { eventEndpoints } from '../../edge/events/endpoints.ts';
import { checked, queryOf } from '../../edge/contract/http-client.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('');

/** Where a stream of events begins: after a number, or with so many of the latest. */
export type EventsFrom = { readonly after: number } | { readonly tail: number };

/** Opens the stream of what happens on the platform, as far as the scopes of the session go. */
export async function openEvents(from: EventsFrom, signal: AbortSignal): Promise<Response> {
  const { path } = eventEndpoints.listPlatformEvents;
  const headers = { ...http.headers, accept: 'text/event-stream' };
  return checked(await http.fetch(http.base + path + queryOf(from), { headers, signal }));
}
