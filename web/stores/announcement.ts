import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Connection } from './connection-machine.ts';

/** Changes closer together than this are read aloud as one, the last. */
export const ANNOUNCE_EVERY_MS = 5_000;

type Announcement = Exclude<Connection['status'], 'connecting'> | 'nothing';

/**
 * Screen reader text about the connection: every change of state, but at most one in
 * `ANNOUNCE_EVERY_MS`, and none when the first request simply succeeds.
 */
export function announceConnection(connection: StoreApi<Connection>): StoreApi<Announcement> {
  const announced = createStore<Announcement>(() => 'nothing');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: Announcement | undefined;

  function say(status: Announcement) {
    announced.setState(status, true);
    waiting = undefined;
    timer = setTimeout(() => {
      timer = undefined;
      if (waiting !== undefined && waiting !== announced.getState()) say(waiting);
    }, ANNOUNCE_EVERY_MS);
  }

  connection.subscribe(({ status }, before) => {
    if (status === 'connecting' || status === before.status) return;
    if (before.status === 'connecting' && status === 'live') return;
    if (timer === undefined) say(status);
    else waiting = status;
  });
  return announced;
}
