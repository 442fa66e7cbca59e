/** A session's cookie: its id, and the secret only its browser knows. */
export interface SessionCookie {
  readonly id: string;
  readonly secret: string;
}

const NAME = 'spikegrid_session';
/** The prefix makes browsers hold on to Secure and Path=/; they take it over https only. */
const SECURE_NAME = `__Host-${NAME}`;
const VALUE = /^([0-9a-z]{52})\.([0-9a-z]{52})$/;

const nameFor = (url: URL) => (url.protocol === 'https:' ? SECURE_NAME : NAME);

/** The session cookie of a request, where it has one of the right form. */
export function readSessionCookie(headers: Headers, url: URL): SessionCookie | undefined {
  const name = nameFor(url);
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [key = '', value = ''] = pair.trim().split('=');
    const [, id, secret] = (key === name && VALUE.exec(value)) || [];
    if (id !== undefined && secret !== undefined) return { id, secret };
  }
  return undefined;
}

/** `Set-Cookie` of a session that ends after so many seconds. */
export function writeSessionCookie(
  { id, secret }: SessionCookie,
  url: URL,
  maxAgeS: number,
): string {
  return `${nameFor(url)}=${id}.${secret}; ${attributesFor(url, maxAgeS)}`;
}

/** `Set-Cookie` that makes the browser forget its session. */
export const clearSessionCookie = (url: URL): string =>
  `${nameFor(url)}=; ${attributesFor(url, 0)}`;

function attributesFor(url: URL, maxAgeS: number): string {
  const secure = url.protocol === 'https:' ? '; Secure' : '';
  return `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`;
}
