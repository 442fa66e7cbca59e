import { connect } from 'cloudflare:sockets';
import { encodeCommand, type RedisAddress, RedisRefusal, type Reply, ReplyReader } from './resp.ts';

/** The time limit for a reply, and the silence after which a PING is sent. */
const SILENCE_MS = 10_000;

/** A connection that sends commands in sequence, with one reply each in that order. */
export interface RedisConnection {
  /** Sends a command; its reply is passed to the listener. */
  send(words: readonly string[]): void;
  /** Resolves with the reason once the connection has ended. */
  readonly ended: Promise<string>;
  close(): void;
}

/**
 * Connects and authenticates, then passes on every reply but those to our own PINGs.
 *
 * @throws Error where the server does not respond in time, or refuses
 */
export async function openRedis(
  address: RedisAddress,
  listen: (reply: Reply) => void,
): Promise<RedisConnection> {
  const { hostname, port, isSecure } = address;
  const socket = connect(
    { hostname, port },
    { secureTransport: isSecure ? 'on' : 'off', allowHalfOpen: false },
  );
  // Both reject for the same end, which `ended` reports.
  socket.closed.catch(() => {});
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const close = (why: string) => {
    end(why);
    void socket.close().catch(() => {});
  };
  const writer = socket.writable.getWriter();
  const send = (words: readonly string[]) => {
    writer.write(encodeCommand(words)).catch((error: unknown) => close(String(error)));
  };
  const incoming = repliesOf(socket.readable, close);
  const greetings = greetingsOf(address);
  const late = setTimeout(() => close(`nobody answered in ${SILENCE_MS} ms`), SILENCE_MS);
  try {
    for (const words of greetings) send(words);
    for (let i = 0; i < greetings.length; i++) {
      const { value: reply, done } = await incoming.next();
      if (done) throw new Error(`the connection ended: ${await ended}`);
      if (reply instanceof RedisRefusal) throw new Error(`Redis says ${reply.message}`);
    }
  } catch (error) {
    close(String(error));
    throw error;
  } finally {
    clearTimeout(late);
  }
  void handOn(incoming, { listen, send, close });
  return { send, ended, close: () => close('it was closed') };
}

const greetingsOf = ({ username, password }: RedisAddress): readonly (readonly string[])[] =>
  password === ''
    ? [['PING']]
    : [username === '' ? ['AUTH', password] : ['AUTH', username, password]];

async function* repliesOf(
  readable: ReadableStream<Uint8Array>,
  close: (why: string) => void,
): AsyncGenerator<Reply, void> {
  const reader = readable.getReader();
  const replies = new ReplyReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      yield* replies.push(value);
    }
    close('Redis closed it');
  } catch (error) {
    close(String(error));
  }
}

interface Hands {
  readonly listen: (reply: Reply) => void;
  readonly send: (words: readonly string[]) => void;
  readonly close: (why: string) => void;
}

async function handOn(incoming: AsyncGenerator<Reply, void>, { listen, send, close }: Hands) {
  let isAsked = false;
  const watch = () => {
    if (isAsked) return close(`Redis was silent for ${2 * SILENCE_MS} ms`);
    isAsked = true;
    send(['PING']);
    timer = setTimeout(watch, SILENCE_MS);
  };
  let timer = setTimeout(watch, SILENCE_MS);
  for await (const reply of incoming) {
    clearTimeout(timer);
    timer = setTimeout(watch, SILENCE_MS);
    if (isAsked && isPong(reply)) isAsked = false;
    else listen(reply);
  }
  clearTimeout(timer);
}

/** On a connection that subscribes, it is an array. */
const isPong = (reply: Reply): boolean =>
  reply === 'PONG' || (Array.isArray(reply) && reply[0] === 'pong');
