import { once } from 'node:events';
import type { EventType, PlatformEvent } from '../../edge/events/contract/platform-event.ts';
import { openHttp } from '../../edge/contract/client.ts';
import type { LogFrame } from '../../edge/logs/contract/log-frames.ts';
import { Ticket } from '../../edge/access/contract/session.ts';
import { send } from './keys-in-hand.ts';

/** A gateway, and the key with which to ask it. */
export interface Asked {
  readonly gateway: URL;
  readonly key?: string;
}

export const httpTo = ({ gateway, key }: Asked) =>
  openHttp({
    base: gateway.origin,
    ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
  });

export async function ticketFor({ gateway, key }: Asked): Promise<string> {
  const answer = await send(new URL('/ws/tickets', gateway), { method: 'POST', key });
  return Ticket.parse(await answer.json()).ticket;
}

export const streamAt = ({ gateway }: Asked, query: Readonly<Record<string, string>> = {}) => {
  const url = new URL(`/ws/distributed_brain/logs?${new URLSearchParams(query)}`, gateway);
  url.protocol = 'ws:';
  return url;
};

type FrameOf<T extends LogFrame['type']> = T extends EventType
  ? PlatformEvent
  : Extract<LogFrame, { type: T }>;

/** A client that does what its test says, and acknowledges nothing by itself. */
export interface Listener {
  readonly socket: WebSocket;
  /** Every frame that came so far. */
  readonly frames: LogFrame[];
  /** The next frame that is as wanted, of those that came and those that will. */
  next<T extends LogFrame['type']>(
    type: T,
    isIt?: (frame: FrameOf<T>) => boolean,
  ): Promise<FrameOf<T>>;
  say(message: object): void;
  /** The code and the reason it is closed with. */
  readonly closed: Promise<readonly [number, string]>;
}

/** Opens the log stream with a ticket, and waits for its greeting. */
export async function listenTo(
  asked: Asked,
  query: Readonly<Record<string, string>> = {},
): Promise<Listener> {
  const ticket = await ticketFor(asked);
  const socket = new WebSocket(streamAt(asked, { ...query, ticket }));
  const frames: LogFrame[] = [];
  const arrivals = new EventTarget();
  socket.addEventListener('message', ({ data }) => {
    for (const text of String(data).split('\n')) frames.push(JSON.parse(text) as LogFrame);
    arrivals.dispatchEvent(new Event('some'));
  });
  const closed = once(socket, 'close').then(([{ code, reason }]) => [code, reason] as const);
  const listener: Listener = {
    socket,
    frames,
    closed,
    say: (message) => socket.send(JSON.stringify(message)),
    async next(type, isIt = () => true) {
      for (;;) {
        const found = frames.find((frame) => frame.type === type && isIt(frame as never));
        if (found) return found as never;
        await Promise.race([
          once(arrivals, 'some'),
          closed.then((why) => Promise.reject(new Error(`closed with ${why.join(' ')}`))),
        ]);
      }
    },
  };
  await listener.next('hello');
  return listener;
}
