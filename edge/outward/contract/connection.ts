/** How the address of an instance begins that connected outwards: `connected://service/instance`. */
const SCHEME = 'connected://';

export const isConnected = (url: string): boolean => url.startsWith(SCHEME);

export const connectedUrl = (service: string, instance: string): string =>
  `${SCHEME}${service}/${instance}`;

/** The name of the object that holds the connection. */
export const connectedName = (url: string): string => url.slice(SCHEME.length);

/** The text that a service sends to see that the gateway is there, and the reply. */
export const PING = 'ping';
export const PONG = 'pong';
/** How often it does. */
export const PING_EVERY_MS = 10_000;
/** A side that heard nothing for so long hangs up. */
export const SILENCE_MS = 30_000;

/** Why a connection is closed. */
export const CONNECTION_CLOSE = {
  /** The service has finished. */
  done: 1000,
  /** The other side broke the rules. */
  misbehaved: 1008,
  /** The key was revoked or has expired: nothing is to be tried again. */
  credentialsEnded: 4401,
  /** Nothing was heard of the other side. */
  silent: 4408,
} as const;
