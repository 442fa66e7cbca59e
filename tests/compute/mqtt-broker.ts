import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Aedes } from 'aedes';

/** A broker that others wrote, which speaks MQTT 3.1.1 and no 5. */
export interface MqttBroker {
  readonly url: string;
  /** Cuts every connection, as a broker does that restarts. */
  cut(): void;
  close(): Promise<void>;
}

export async function startMqttBroker(): Promise<MqttBroker> {
  const broker = await Aedes.createBroker();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    broker.handle(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `mqtt://127.0.0.1:${port}`,
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
      await new Promise<void>((resolve) => broker.close(resolve));
    },
  };
}
