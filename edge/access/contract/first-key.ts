/** Settings of the Worker that let somebody in where `AUTH_MODE` is `required`. */
export interface CredentialSettings {
  readonly AUTH_MODE?: unknown;
  readonly BOOTSTRAP_KEY?: unknown;
  readonly JWT_ISSUER?: unknown;
  readonly CF_ACCESS_TEAM?: unknown;
}

/** What makes the first key, as it is typed. */
const MAKE_KEY = 'npm run -s spikegrid -- keys bootstrap';
const STORE_KEY = 'npx wrangler secret put BOOTSTRAP_KEY';

/** What to type where everybody needs a key and there is none. */
export const FIRST_KEY_NEEDED =
  `AUTH_MODE is "required" and nobody has a key: type "${MAKE_KEY}", keep the key that it prints, ` +
  `and give what it prints after it to the deployment with "${STORE_KEY}"`;

/**
 * Whether the settings ask everybody for credentials and name nobody who could have some. A platform
 * that made its keys before may still have them in store.
 */
export function lacksFirstKey(settings: CredentialSettings): boolean {
  const { AUTH_MODE, BOOTSTRAP_KEY, JWT_ISSUER, CF_ACCESS_TEAM } = settings;
  return AUTH_MODE === 'required' && !BOOTSTRAP_KEY && !JWT_ISSUER && !CF_ACCESS_TEAM;
}
