import { eventEndpoints } from '../../edge/events/endpoints.ts';
import { openStream } from '../../edge/contract/client.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('');

/** Where a stream of events begins: after a number, or with so many of the latest. */
export type EventsFrom = { readonly after: number } | { readonly tail: number };

/** Opens the stream of what happens on the platform, as far as the scopes of the session go. */
export const openEvents = (query: EventsFrom, signal: AbortSignal): Promise<Response> =>
  openStream(http, eventEndpoints.listPlatformEvents, { query, signal });
