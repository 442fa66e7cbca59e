/** Where a Redis is, and who we are there. */
export interface RedisAddress {
  readonly hostname: string;
  readonly port: number;
  /** Whether the connection is encrypted. */
  readonly isSecure: boolean;
  readonly username: string;
  readonly password: string;
}

const DEFAULT_PORT = 6379;

/** Reads DISTRIBUTED_WS_REDIS. @throws TypeError where it is no address of a Redis */
export function parseRedisAddress(setting: string): RedisAddress {
  const url = URL.parse(setting);
  const isSecure = url?.protocol === 'rediss:';
  if (!url?.hostname || !(isSecure || url.protocol === 'redis:')) {
    // Not the setting itself: it may hold a password.
    const found = url ? `an address with the scheme ${url.protocol}` : 'no address';
    throw new TypeError(
      `DISTRIBUTED_WS_REDIS is ${found}, expected redis://[user:password@]host[:port] or rediss://…`,
    );
  }
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    isSecure,
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}
