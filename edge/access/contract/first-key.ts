/** Settings of the Worker that grant access where `AUTH_MODE` is `required`. */
interface CredentialSettings {
  readonly AUTH_MODE?: unknown;
  readonly BOOTSTRAP_KEY?: unknown;
  readonly JWT_ISSUER?: unknown;
  readonly CF_ACCESS_TEAM?: unknown;
}

/** The command that creates the first key. */
const MAKE_KEY = 'npm run -s spikegrid -- keys bootstrap';
const STORE_KEY = 'npx wrangler secret put BOOTSTRAP_KEY';

/** Instructions for a platform that requires a key and has none. */
export const FIRST_KEY_NEEDED =
  `AUTH_MODE is "required" and nobody has a key: type "${MAKE_KEY}", keep the key that it prints, ` +
  `and give what it prints after it to the deployment with "${STORE_KEY}"`;

/**
 * Whether the settings require credentials and provide none. A platform may still have keys in its
 * store.
 */
export function lacksFirstKey(settings: CredentialSettings): boolean {
  const { AUTH_MODE, BOOTSTRAP_KEY, JWT_ISSUER, CF_ACCESS_TEAM } = settings;
  return AUTH_MODE === 'required' && !BOOTSTRAP_KEY && !JWT_ISSUER && !CF_ACCESS_TEAM;
}
