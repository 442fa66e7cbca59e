import type { Usage } from '../../edge/discovery/contract/brain-node.ts';
import { type MessageLine, mqttLine } from '../../edge/discovery/contract/message-line.ts';
import {
  type BrokerAddress,
  brokerUrl,
  nodeOptions,
} from '../../edge/discovery/contract/node-connection.ts';
import { connectClient } from '../discovery/connect-client.ts';
import { statfsSync } from 'node:fs';
import { availableParallelism, freemem, totalmem } from 'node:os';

/** Connects a node to the platform's broker of a region. @throws ProblemError where it cannot at first */
export async function connectNode(nodeId: string, address: BrokerAddress): Promise<MessageLine> {
  return mqttLine(await connectClient(brokerUrl(address), nodeOptions(nodeId, address.key)));
}

/**
 * Load of a machine for heartbeats. Of the processors it is the fraction that this very process takes:
 * a machine that is busy with others still answers, while one out of memory or disk does not. Memory and
 * disk are the machine's.
 */
export function createUsage(folder: string): () => Usage {
  let before = { cpu: process.cpuUsage(), at: performance.now() };
  return () => {
    const at = performance.now();
    const { user, system } = process.cpuUsage(before.cpu);
    const elapsedUs = Math.max(1, (at - before.at) * 1000);
    before = { cpu: process.cpuUsage(), at };
    const { blocks, bavail } = statfsSync(folder);
    return {
      cpu_percent: percent((user + system) / (elapsedUs * availableParallelism())),
      memory_percent: percent(1 - freemem() / totalmem()),
      ...(blocks > 0 && { disk_percent: percent(1 - bavail / blocks) }),
    };
  };
}

const percent = (share: number): number => Math.round(1000 * Math.min(1, Math.max(0, share))) / 10;
