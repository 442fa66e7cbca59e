import { describe, expect, it } from 'vitest';
import {
  clearSessionCookie,
  readSessionCookie,
  writeSessionCookie,
} from '../../edge/access/credentials.ts';

const cookie = { id: 'a'.repeat(52), secret: 'b'.repeat(52) };
const plain = new URL('http://127.0.0.1:8000/');
const secure = new URL('https://spikegrid.example/');
const asked = (text: string) => new Headers({ cookie: text });

describe('the session cookie', () => {
  it.each([plain, secure])('reads back as it was written for %s', (url) => {
    const [pair = ''] = writeSessionCookie(cookie, url, 60).split(';');

    expect(readSessionCookie(asked(`other=1; ${pair}; more=2`), url)).toEqual(cookie);
  });

  // RFC 6265bis, section 4.1.3.2: browsers take __Host- with Secure, Path=/ and no Domain only.
  it('is Secure and bound to its host over https', () => {
    for (const text of [writeSessionCookie(cookie, secure, 60), clearSessionCookie(secure)]) {
      expect(text).toMatch(/^__Host-.*; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/);
      expect(text).not.toContain('Domain');
    }
  });

  it('is not taken over https under the name that a page over http could set', () => {
    const [pair = ''] = writeSessionCookie(cookie, plain, 60).split(';');

    expect(readSessionCookie(asked(pair), secure)).toBeUndefined();
  });

  it.each([
    '',
    'x',
    `${cookie.id}.`,
    `${cookie.id}.${cookie.secret}0`,
    `${cookie.id}.${"'".repeat(52)}`,
  ])('is none with the value %s', (value) => {
    expect(readSessionCookie(asked(`spikegrid_session=${value}`), plain)).toBeUndefined();
  });
});
