import { connectAsync } from 'mqtt';
import { type MessageLine, mqttLine } from '../../edge/contract/discovery/message-line.ts';
import {
  type BrokerAddress,
  brokerUrl,
  nodeOptions,
} from '../../edge/contract/discovery/node-connection.ts';

/** Connects a node to the platform's broker of a region. @throws where it cannot at first */
export async function connectNode(nodeId: string, address: BrokerAddress): Promise<MessageLine> {
  const client = await connectAsync(brokerUrl(address), nodeOptions(nodeId, address.key), false);
  // It tries again by itself; without a listener the first fault would end the process.
  client.on('error', () => {});
  return mqttLine(client);
}
