/** The alphabet of ids and secrets: Crockford's, whose letters are hard to confuse. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_LENGTH = 12;
/** 260 random bits. */
const SECRET_LENGTH = 52;

const ID = `[0-9a-hjkmnp-tv-z]{${ID_LENGTH}}`;
const SECRET = `[0-9a-hjkmnp-tv-z]{${SECRET_LENGTH}}`;

export const KEY_ID = new RegExp(`^${ID}$`);
const API_KEY = new RegExp(`^sg_(${ID})_(${SECRET})$`);

/** An API key, `sg_<id>_<secret>`, in its parts. */
interface ApiKey {
  readonly id: string;
  readonly secret: string;
}

/** The parts of a key, or undefined where the text is not one. */
export function parseApiKey(text: string): ApiKey | undefined {
  const [, id, secret] = API_KEY.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

export const formatApiKey = ({ id, secret }: ApiKey): string => `sg_${id}_${secret}`;

export function createApiKey(): ApiKey {
  return { id: randomLetters(ID_LENGTH), secret: randomSecret() };
}

/** An unguessable text for credentials. */
export const randomSecret = (): string => randomLetters(SECRET_LENGTH);

/**
 * The stored form of a secret: its SHA-256, in hex. It has too many bits for a brute-force search.
 */
export async function hashSecret(secret: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function randomLetters(length: number): string {
  // 256 is a multiple of 32, so every letter is equally likely.
  const random = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(random, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
}
