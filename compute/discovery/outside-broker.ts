import { connectAsync, type MqttClient } from 'mqtt';
import { type MessageLine, mqttLine } from '../../edge/contract/discovery/message-line.ts';
import { clientOptions, nodeOptions } from '../../edge/contract/discovery/node-connection.ts';

/** A broker of others, such as mosquitto or EMQX. */
export interface OutsideBroker {
  /** Such as mqtt://broker:1883, mqtts://… or ws://…; what stands before an @ is user and password. */
  readonly url: string;
  readonly clientId: string;
  /** Leaves a will as nodes do. */
  readonly isNode?: boolean;
}

/** A line to an outside broker, and whether it is up. */
export interface OutsideLine extends MessageLine {
  readonly isUp: boolean;
}

/** Connects to an outside broker, and again whenever the line breaks. @throws where it cannot at first */
export async function connectOutside(broker: OutsideBroker): Promise<OutsideLine> {
  const { url, clientId, isNode = false } = broker;
  const { forceNativeWebSocket: _, ...options } = isNode
    ? nodeOptions(clientId)
    : clientOptions(clientId);
  // 3.1.1: every broker speaks it, and nodes need nothing that came later.
  const asked = { ...options, protocolVersion: 4 as const };
  const client: MqttClient = await connectAsync(url, asked, false);
  // It tries again by itself; without a listener the first fault would end the process.
  client.on('error', () => {});
  return {
    ...mqttLine(client),
    get isUp() {
      return client.connected;
    },
  };
}
