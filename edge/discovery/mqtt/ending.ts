import type { BrokerState } from './broker-state.ts';
import type { Connection } from './connection.ts';
import { keepRetained, spread } from './receiving.ts';
import type { Session } from './session.ts';
import { unhang } from './subscribing.ts';

/** Publishes a session's will, once (section 3.1.2.5). */
export function publishWill(state: BrokerState, session: Session): void {
  const { will } = session;
  session.will = undefined;
  session.willAt = undefined;
  if (!will) return;
  const { message, expiryS } = will;
  const expires = expiryS === undefined ? {} : { expiresAt: state.ports.now() + expiryS * 1000 };
  const published = { ...message, ...expires };
  // A will for whose keeping there is no room any more is told all the same.
  if (published.retain) keepRetained(state, session, published);
  spread(state, published, session);
}

/** Ends a session with all that is known of it; its will goes out then (section 3.1.3.2.2). */
export function endSession(state: BrokerState, session: Session): void {
  for (const filter of session.subscriptions.keys()) unhang(state, session, filter);
  if (state.sessions.delete(session.clientId)) state.held.remove(session.owner);
  session.remove();
  publishWill(state, session);
}

/**
 * A connection is gone: its will is published or comes to wait, and its session ends or comes to
 * wait for its client.
 */
export function detach(state: BrokerState, connection: Connection): void {
  const { session } = connection;
  state.connections.delete(connection.link);
  connection.session = undefined;
  if (!session || session.connection !== connection) return;
  session.connection = undefined;
  if (session.expiryS === 0) {
    endSession(state, session);
    return;
  }
  const now = state.ports.now();
  session.endsAt = now + session.expiryS * 1000;
  const delayS = Math.min(session.will?.delayS ?? 0, session.expiryS);
  if (session.will && delayS > 0) session.willAt = now + delayS * 1000;
  else publishWill(state, session);
  session.save();
  state.ports.wakeAt(dueAt(session));
}

/** When something is to be done about a session nobody is connected to. */
export const dueAt = ({ willAt = Infinity, endsAt = Infinity }: Session): number =>
  Math.min(willAt, endsAt);
