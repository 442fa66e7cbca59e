import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { generate, type Packet, parser } from 'mqtt-packet';

/** A broker of MQTT 3.1.1 with as much of it as a test needs: QoS 0 and 1, filters with + and #. */
export interface MqttBroker {
  readonly url: string;
  /** Cuts every connection, as a broker does that restarts. */
  cut(): void;
  close(): Promise<void>;
}

interface Session {
  readonly socket: Socket;
  readonly filters: Set<string>;
}

export async function startMqttBroker(): Promise<MqttBroker> {
  const sessions = new Set<Session>();
  const server = createServer((socket) => {
    const session: Session = { socket, filters: new Set() };
    sessions.add(session);
    const read = parser({ protocolVersion: 4 });
    read.on('packet', (packet: Packet) => answer(packet, session, sessions));
    socket.on('data', (chunk) => read.parse(chunk));
    socket.on('error', () => {});
    socket.on('close', () => sessions.delete(session));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const { socket } of sessions) socket.destroy();
  };
  return {
    url: `mqtt://127.0.0.1:${port}`,
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(packet: Packet, session: Session, sessions: ReadonlySet<Session>): void {
  const send = (to: Session, reply: Packet) => to.socket.write(generate(reply));
  switch (packet.cmd) {
    case 'connect':
      welcome(session, packet.protocolVersion);
      return;
    case 'subscribe': {
      const { subscriptions, messageId = 0 } = packet;
      for (const { topic } of subscriptions) session.filters.add(topic);
      send(session, { cmd: 'suback', messageId, granted: subscriptions.map(() => 1) });
      return;
    }
    case 'publish': {
      const { topic, payload, qos, messageId = 0 } = packet;
      if (qos > 0) send(session, { cmd: 'puback', messageId });
      for (const other of [...sessions].filter(({ filters }) => isWanted(filters, topic))) {
        send(other, { cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false });
      }
      return;
    }
    case 'disconnect':
      session.socket.end();
  }
}

/** Clause 3.1.2-2: another version is refused as unacceptable. */
function welcome({ socket }: Session, version: number | undefined): void {
  const returnCode = version === 5 ? 1 : 0;
  socket.write(generate({ cmd: 'connack', returnCode, sessionPresent: false }));
  if (returnCode > 0) socket.end();
}

const isWanted = (filters: ReadonlySet<string>, topic: string) =>
  [...filters].some((filter) => matches(filter, topic));

/** MQTT 3.1.1, clause 4.7.1. */
function matches(filter: string, topic: string): boolean {
  const [levels, names] = [filter.split('/'), topic.split('/')];
  const rest = levels.indexOf('#');
  if (rest >= 0) levels.length = rest;
  if (rest < 0 ? levels.length !== names.length : names.length < levels.length) return false;
  return levels.every((level, i) => level === '+' || level === names[i]);
}
