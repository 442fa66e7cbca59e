import type { Link, PersistedConnection, Stored, Subscription } from './ports.ts';
import { holderOf } from '../../http/ownership.ts';
import { MqttFault, REASON } from '../contract/mqtt/reason.ts';
import { heartbeatTopic } from '../contract/topics.ts';
import type { BrokerState } from './broker-state.ts';
import { Connection, type PersistedSession, Session } from './session.ts';
import { keepRetained, spread } from './receiving.ts';
import { attachSubscription, detachSubscription } from './subscribing.ts';
import { parseFilter } from './topic.ts';

/** Publishes a session's will, once (section 3.1.2.5). */
export function publishWill(state: BrokerState, session: Session): void {
  const { will } = session;
  session.will = undefined;
  session.willAt = undefined;
  if (!will) return;
  const { message, expiryS } = will;
  const expires = expiryS === undefined ? {} : { expiresAt: state.ports.now() + expiryS * 1000 };
  const published = { ...message, ...expires };
  // A will that cannot be retained for lack of room is published all the same.
  if (published.retain) keepRetained(state, session, published);
  spread(state, published, session);
}

/** Ends a session and removes its state; its will is published (section 3.1.3.2.2). */
export function endSession(state: BrokerState, session: Session): void {
  for (const filter of session.subscriptions.keys()) detachSubscription(state, session, filter);
  if (state.sessions.delete(session.clientId)) state.held.remove(session.owner);
  session.remove();
  publishWill(state, session);
}

/**
 * Handles the end of a connection: its will is published or delayed, and its session ends or waits
 * for its client.
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

/** When a disconnected session needs attention. */
export const dueAt = ({ willAt = Infinity, endsAt = Infinity }: Session): number =>
  Math.min(willAt, endsAt);

/**
 * Restores the state after an eviction: connections that outlived it, and the sessions. Lost ones
 * are ended only when all are restored, as their wills have subscribers.
 */
export function restore(
  state: BrokerState,
  links: readonly (readonly [Link, PersistedConnection])[],
  stored: Stored,
): void {
  const broken = restoreConnections(state, links, stored);
  const lost = restoreSessions(state, stored);
  for (const connection of [...broken, ...lost]) detach(state, connection);
}

/** @returns connections whose incomplete packet is lost */
function restoreConnections(
  state: BrokerState,
  links: readonly (readonly [Link, PersistedConnection])[],
  stored: Stored,
): readonly Connection[] {
  const broken: Connection[] = [];
  const rows = new Map(stored.sessions.map((row) => [row.clientId, row]));
  for (const [link, persisted] of links) {
    const { clientId, caller, expiryS, will, rest } = persisted;
    const connection = connectionOf(state, link, persisted);
    const row = rows.get(clientId);
    const session = row
      ? Session.restored(state.ports.store, row, persistedOf(stored, clientId))
      : new Session(
          state.ports.store,
          { clientId, owner: holderOf(caller) },
          persistedOf(stored, clientId),
        );
    Object.assign(session, { expiryS, connection, willAt: undefined, endsAt: undefined });
    session.takeCaller(caller);
    session.will = row?.will ?? will;
    connection.session = session;
    add(state, session, stored.subscriptions.get(clientId) ?? []);
    if (rest !== 'lost') continue;
    connection.fail(new MqttFault(REASON.unspecified, 'the begin of a packet was lost'));
    broken.push(connection);
  }
  return broken;
}

function connectionOf(state: BrokerState, link: Link, persisted: PersistedConnection): Connection {
  const { rest } = persisted;
  const connection = new Connection(link, {
    maxBytes: state.limits.packetBytes,
    now: state.ports.now(),
    ...(rest instanceof Uint8Array && { rest }),
  });
  connection.opened = {
    caller: persisted.caller,
    version: persisted.version,
    keepAliveS: persisted.keepAliveS,
    receiveMaximum: persisted.receiveMaximum,
    maximumPacketSize: persisted.maximumPacketSize,
    topicAliasMaximum: persisted.topicAliasMaximum,
  };
  connection.heartbeatTopic = heartbeatTopic(persisted.clientId);
  state.connections.set(link, connection);
  return connection;
}

/**
 * Restores disconnected sessions, and removes rows without one, which a crash has left.
 *
 * @returns connections that ended with the runtime, which is only noticed now
 */
function restoreSessions(state: BrokerState, stored: Stored): readonly Connection[] {
  const gone: Connection[] = [];
  const { ports, sessions } = state;
  for (const row of stored.sessions) {
    if (sessions.has(row.clientId)) continue;
    const session = Session.restored(ports.store, row, persistedOf(stored, row.clientId));
    add(state, session, stored.subscriptions.get(row.clientId) ?? []);
    if (row.endsAt !== undefined) continue;
    const lost = new Connection(NO_LINK, { maxBytes: 0, now: ports.now() });
    lost.session = session;
    session.connection = lost;
    gone.push(lost);
  }
  const left = [stored.subscriptions, stored.deliveries, stored.received];
  for (const clientId of new Set(left.flatMap((map) => [...map.keys()]))) {
    if (!sessions.has(clientId)) ports.store.removeSession(clientId);
  }
  return gone;
}

function add(state: BrokerState, session: Session, subscriptions: readonly Subscription[]): void {
  state.sessions.set(session.clientId, session);
  state.held.add(session.owner);
  for (const subscription of subscriptions) {
    session.subscriptions.set(subscription.filter, subscription);
    const filter = parseFilter(subscription.filter);
    if (filter) attachSubscription(state, session, { filter, subscription });
  }
}

const persistedOf = (stored: Stored, clientId: string): PersistedSession => ({
  subscriptions: stored.subscriptions.get(clientId) ?? [],
  deliveries: stored.deliveries.get(clientId) ?? [],
  received: stored.received.get(clientId) ?? [],
});

const NO_LINK: Link = { send() {}, close() {}, keep() {} };
