import { connectedName, isConnected } from './contract/connection.ts';
import type { Env } from '../env.ts';
import type { Caller } from '../http/caller.ts';
import { problemResponse, Problem } from '../http/problem.ts';

/** A service that connects outwards, and with whose key. */
export interface Connecting {
  readonly caller: Caller;
  readonly service: string;
  readonly instance: string;
  readonly version: string | null;
  readonly tags: readonly string[];
}

/** Where an object that holds a connection is asked to take one; at any other host it sends on. */
export const CONNECT_HOST = 'connect.internal';
const SERVICE_HOST = 'service.internal';
const CONNECTING = 'x-spikegrid-connecting';
/** Why a connection was not taken, or did not take a request. */
export const CONNECTION_STATE = 'x-spikegrid-connection';

/**
 * `taken`: an instance of this id is connected; `full`: there are too many; `gone`: nothing is
 * connected; `busy`: too much is under way; `headers`: they are too large; `broke`: no answer came.
 */
export type ConnectionState = 'taken' | 'full' | 'gone' | 'busy' | 'headers' | 'broke';

type Objects = Pick<Env, 'CONNECTED'>;

/** Opens the connection of an instance. @throws Problem already_exists or limit_reached */
export async function openConnection({ CONNECTED }: Objects, asked: Connecting): Promise<Response> {
  const { service, instance } = asked;
  const headers = { upgrade: 'websocket', [CONNECTING]: encodeURIComponent(JSON.stringify(asked)) };
  const answer = await CONNECTED.getByName(`${service}/${instance}`).fetch(
    `http://${CONNECT_HOST}/`,
    { headers },
  );
  switch (answer.headers.get(CONNECTION_STATE)) {
    case 'taken':
      throw new Problem(
        'already_exists',
        `An instance ${instance} of ${service} is connected already: choose another id.`,
      );
    case 'full':
      throw new Problem('limit_reached', `${instance} would be one connected instance too many.`);
    default:
      return answer;
  }
}

export const connectingIn = (headers: Headers): Connecting =>
  JSON.parse(decodeURIComponent(headers.get(CONNECTING) ?? ''));

/** `fetch` for an instance, at an address or at the other end of its own connection. */
export const fetchAt =
  (env: Objects, otherwise: typeof fetch = fetch): typeof fetch =>
  (input, init) => {
    const url = String(input);
    return isConnected(url) ? fetchConnected(env, url, init) : otherwise(input, init);
  };

/** @throws Error where nothing is connected, or the connection broke off */
async function fetchConnected(
  { CONNECTED }: Objects,
  url: string,
  init: RequestInit | undefined,
): Promise<Response> {
  const [service = '', instance = '', ...path] = connectedName(url).split('/');
  const holder = CONNECTED.getByName(`${service}/${instance}`);
  const answer = await holder.fetch(`http://${SERVICE_HOST}/${path.join('/')}`, init);
  switch (answer.headers.get(CONNECTION_STATE)) {
    case 'gone':
      throw new Error('it is not connected');
    case 'broke':
      throw new Error('its connection broke off');
    case 'headers':
      throw new Problem('payload_too_large', 'The headers are larger than a connection carries.');
    case 'busy':
      return problemResponse(new Problem('overloaded', BUSY, AGAIN_SOON), {
        instance: `/${service}`,
        traceId: '',
      });
    default:
      return answer;
  }
}

const BUSY = 'As much is under way over the connection of this instance as there may be.';
const AGAIN_SOON = { headers: { 'retry-after': '1' } };
