import { connectAsync } from 'mqtt';
import { type MessageLine, mqttLine } from '../../edge/contract/discovery/message-line.ts';
import {
  type BrokerAddress,
  brokerUrl,
  nodeOptions,
} from '../../edge/contract/discovery/node-connection.ts';
import { ownProblem } from '../../edge/contract/problem-error.ts';

/** Connects a node to the platform's broker of a region. @throws ProblemError where it cannot at first */
export async function connectNode(nodeId: string, address: BrokerAddress): Promise<MessageLine> {
  const url = brokerUrl(address);
  const options = nodeOptions(nodeId, address.key);
  const client = await connectAsync(url, options, false).catch((error: Error) => {
    // A WebSocket says nothing of why it failed.
    const why = error.message || 'no connection, or no credentials that hold';
    throw ownProblem('upstream_error', `${nodeId} cannot connect to ${url}: ${why}`);
  });
  // It tries again by itself; without a listener the first fault would end the process.
  client.on('error', () => {});
  return mqttLine(client);
}
