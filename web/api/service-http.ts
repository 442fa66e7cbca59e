import { type Http, openHttp } from '../../edge/contract/client.ts';
import { ownFetch, sessionHeaders } from './own-fetch.ts';

/** A service as the gateway forwards to it, or the gateway itself: no other origin is ever asked. */
export const serviceHttp = (base: string): Http =>
  openHttp({ base, headers: sessionHeaders, fetch: ownFetch });
