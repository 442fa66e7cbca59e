/** The scheme of connected instances' addresses: `connected://service/instance`. */
const SCHEME = 'connected://';

export const isConnected = (url: string): boolean => url.startsWith(SCHEME);

export const connectedUrl = (service: string, instance: string): string =>
  `${SCHEME}${service}/${instance}`;

/** The name of the object that holds the connection. */
export const connectedName = (url: string): string => url.slice(SCHEME.length);

/** The service's ping, and the gateway's reply. */
export const PING = 'ping';
export const PONG = 'pong';
/** The interval of pings. */
export const PING_EVERY_MS = 10_000;
/** A side that receives nothing for this long closes the connection. */
export const SILENCE_MS = 30_000;

/** The close codes of a connection. */
export const CONNECTION_CLOSE = {
  /** The service has finished. */
  done: 1000,
  /** The other side violated the protocol. */
  misbehaved: 1008,
  /** The key was revoked or has expired: do not reconnect. */
  credentialsEnded: 4401,
  /** Nothing was received from the other side. */
  silent: 4408,
} as const;
