import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Edge, PLAIN_DASHBOARD, problemOf, startEdge } from './harness.ts';

const GUIDE = {
  'guide/index.html': '<!doctype html><title>Guide</title>',
  'guide/404.html': '<!doctype html><title>404 of the guide</title>',
  'guide/reference/spikegrid.html': '<!doctype html><title>Reference</title>',
  'guide/assets/app.1a2b3c.js': 'document.title += "!";',
  'guide/code.css': '.code-1 { color: teal }',
};
const PERSON = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the guide', () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge({ dashboard: { ...PLAIN_DASHBOARD, ...GUIDE } });
  });
  afterAll(() => edge[Symbol.asyncDispose]());
  const get = (path: string, init: RequestInit = {}) => fetch(new URL(path, edge.gateway), init);

  it('moves from /guide to its folder, so that its links are right', async () => {
    const moved = await get('/guide', { redirect: 'manual' });

    expect(moved.status).toBe(308);
    expect(new URL(moved.headers.get('location') ?? '').pathname).toBe('/guide/');
  });

  it.each([
    ['/guide/', 'text/html', 'Guide', 'no-cache'],
    ['/guide/reference/spikegrid.html', 'text/html', 'Reference', 'no-cache'],
    ['/guide/reference/spikegrid', 'text/html', 'Reference', 'no-cache'],
    ['/guide/code.css', 'text/css', 'teal', 'no-cache'],
    ['/guide/assets/app.1a2b3c.js', 'text/javascript', 'title', 'immutable'],
  ])('serves %s as %s', async (path, type, text, caching) => {
    const answer = await get(path, { headers: PERSON });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain(type);
    expect(answer.headers.get('cache-control')).toContain(caching);
    expect(answer.headers.get('content-security-policy')).toContain("style-src 'self'");
    expect(await answer.text()).toContain(text);
  });

  it('has a 404 page of its own for people, and a problem for programs', async () => {
    const person = await get('/guide/nowhere', { headers: PERSON });
    const program = await get('/guide/assets/old.js');

    expect(person.status).toBe(404);
    expect(await person.text()).toContain('404 of the guide');
    expect(await problemOf(program)).toMatchObject({ code: 'route_not_found' });
  });

  it('refuses to be written to', async () => {
    const post = await get('/guide/', { method: 'POST', body: 'x' });

    expect(post.status).toBe(405);
    expect(post.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('a platform without a built guide', () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge({ dashboard: PLAIN_DASHBOARD });
  });
  afterAll(() => edge[Symbol.asyncDispose]());

  it.each(['/guide/', '/guide/quickstart'])('says at %s how to build it', async (path) => {
    const person = await fetch(new URL(path, edge.gateway), { headers: PERSON });
    const program = await fetch(new URL(path, edge.gateway));

    expect(person.status).toBe(404);
    expect(person.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await person.text()).toContain('npm run guide');
    expect((await problemOf(program)).detail).toContain('npm run guide');
  });
});
