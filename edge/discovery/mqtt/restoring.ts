import type { BrokerState, Stored, Subscription } from './broker-state.ts';
import { Connection, type KeptConnection, type Link } from './connection.ts';
import { holderOf } from '../../http/ownership.ts';
import { heartbeatTopic } from '../contract/topics.ts';
import { detach } from './ending.ts';
import { MqttFault, REASON } from '../contract/mqtt/reason.ts';
import { type KeptSession, Session } from './session.ts';
import { hang } from './subscribing.ts';
import { parseFilter } from './topic.ts';

/**
 * Takes over what there was before: connections that lived on while the broker was out of memory, and
 * the sessions. Only when all are there are those ended that were lost, as their wills have subscribers.
 */
export function restore(
  state: BrokerState,
  links: readonly (readonly [Link, KeptConnection])[],
  stored: Stored,
): void {
  const broken = restoreConnections(state, links, stored);
  const lost = restoreSessions(state, stored);
  for (const connection of [...broken, ...lost]) detach(state, connection);
}

/** Returns connections of which the begin of a packet is lost. */
function restoreConnections(
  state: BrokerState,
  links: readonly (readonly [Link, KeptConnection])[],
  stored: Stored,
): readonly Connection[] {
  const broken: Connection[] = [];
  const rows = new Map(stored.sessions.map((row) => [row.clientId, row]));
  for (const [link, kept] of links) {
    const { clientId, caller, expiryS, will, rest } = kept;
    const connection = connectionOf(state, link, kept);
    const row = rows.get(clientId);
    const session = row
      ? Session.restored(state.ports.store, row, keptOf(stored, clientId))
      : new Session(
          state.ports.store,
          { clientId, owner: holderOf(caller) },
          keptOf(stored, clientId),
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

function connectionOf(state: BrokerState, link: Link, kept: KeptConnection): Connection {
  const { rest } = kept;
  const connection = new Connection(link, {
    maxBytes: state.limits.packetBytes,
    now: state.ports.now(),
    ...(rest instanceof Uint8Array && { rest }),
  });
  connection.opened = {
    caller: kept.caller,
    version: kept.version,
    keepAliveS: kept.keepAliveS,
    receiveMaximum: kept.receiveMaximum,
    maximumPacketSize: kept.maximumPacketSize,
    topicAliasMaximum: kept.topicAliasMaximum,
  };
  connection.heartbeatTopic = heartbeatTopic(kept.clientId);
  state.connections.set(link, connection);
  return connection;
}

/**
 * Sessions nobody is connected to; what belongs to none is what a crash has left. Returns connections
 * that went down with the runtime, as it is noticed now.
 */
function restoreSessions(state: BrokerState, stored: Stored): readonly Connection[] {
  const gone: Connection[] = [];
  const { ports, sessions } = state;
  for (const row of stored.sessions) {
    if (sessions.has(row.clientId)) continue;
    const session = Session.restored(ports.store, row, keptOf(stored, row.clientId));
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
    if (filter) hang(state, session, { filter, subscription });
  }
}

const keptOf = (stored: Stored, clientId: string): KeptSession => ({
  subscriptions: stored.subscriptions.get(clientId) ?? [],
  deliveries: stored.deliveries.get(clientId) ?? [],
  received: stored.received.get(clientId) ?? [],
});

const NO_LINK: Link = { send() {}, close() {}, keep() {} };
