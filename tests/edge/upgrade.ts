import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'vitest';
import { codeIn, noteAnswer } from './answer-log.ts';

type Headers = Readonly<Record<string, string>>;

/** The outcome of a WebSocket upgrade request. */
export interface Upgraded {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The connection, where it was upgraded. */
  readonly socket: Socket | undefined;
}

/** Asks for a WebSocket by hand, to see also what a refusal says. */
export function upgrade(url: URL, headers: Headers): Promise<Upgraded> {
  const { promise, resolve, reject } = Promise.withResolvers<Upgraded>();
  const asked = request(url, {
    agent: false,
    headers: {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      ...headers,
    },
  });
  asked.on('error', reject);
  asked.on('upgrade', (answer, socket: Socket) => {
    socket.on('error', () => {});
    socket.resume();
    resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: '', socket });
  });
  asked.on('response', async (answer) => {
    let body = '';
    for await (const chunk of answer) body += String(chunk);
    const { statusCode: status = 0, headers: told } = answer;
    resolve({ status, headers: told, body, socket: undefined });
  });
  asked.end();
  return promise.then((upgraded) => {
    const { status, body } = upgraded;
    noteAnswer(url.origin, { method: 'GET', path: url.pathname, status, code: codeIn(body) });
    return upgraded;
  });
}

export const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

/** Opens so many sockets, one after the other. */
export async function openMany(
  url: URL,
  headers: Headers,
  count: number,
): Promise<readonly Upgraded[]> {
  const opened: Upgraded[] = [];
  for (let i = 0; i < count; i++) opened.push(await upgrade(url, headers));
  expect(opened.filter(({ status }) => status !== 101)).toEqual([]);
  return opened;
}

export function hangUp(answers: readonly Upgraded[]): void {
  for (const { socket } of answers) socket?.destroy();
}

/** With which code and reason a socket closes. */
export async function codeOf(socket: WebSocket): Promise<readonly [number, string]> {
  const [{ code, reason }] = (await once(socket, 'close')) as [CloseEvent];
  return [code, reason];
}
