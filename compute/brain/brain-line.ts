import { type MessageLine, mqttLine } from '../../edge/discovery/contract/message-line.ts';
import {
  type BrokerAddress,
  brokerUrl,
  nodeOptions,
} from '../../edge/discovery/contract/node-connection.ts';
import { connectClient } from '../discovery/connect-client.ts';

/** Connects a node to the platform's broker of a region. @throws ProblemError where it cannot at first */
export async function connectNode(nodeId: string, address: BrokerAddress): Promise<MessageLine> {
  return mqttLine(await connectClient(brokerUrl(address), nodeOptions(nodeId, address.key)));
}
