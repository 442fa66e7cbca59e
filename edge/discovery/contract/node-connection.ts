import { DEFAULT_NAMESPACE } from '../endpoints.ts';
import { leaveTopic } from './topics.ts';

/** The address of a brain's broker, and the credentials. */
export interface BrokerAddress {
  /** The platform's gateway, such as http://127.0.0.1:8000. */
  readonly gateway: string | URL;
  readonly namespace?: string;
  readonly region: string;
  /** An API key or a token, where the platform requires one. */
  readonly key?: string;
}

/** Options for `connect` of the package `mqtt`, in Node and in browsers alike. */
export interface MqttOptions {
  readonly clientId: string;
  readonly protocolVersion: 5;
  readonly clean: boolean;
  readonly keepalive: number;
  readonly reconnectPeriod: number;
  readonly connectTimeout: number;
  /** The package's own WebSocket in Node spends too much processor time on its frames. */
  readonly forceNativeWebSocket: true;
  readonly username?: string;
  readonly password?: string;
  readonly will?: MqttWill;
}

interface MqttWill {
  readonly topic: string;
  readonly payload: string;
  readonly qos: 1;
  readonly retain: false;
}

/** The address of the platform's own broker. */
export function brokerUrl({
  gateway,
  namespace = DEFAULT_NAMESPACE,
  region,
}: BrokerAddress): string {
  const url = new URL(`/mqtt/${namespace}/${region}`, gateway);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/** Connection options for a client that only observes or sends prompts. */
export const clientOptions = (clientId: string, key?: string): MqttOptions => ({
  clientId,
  protocolVersion: 5,
  clean: true,
  keepalive: 10,
  reconnectPeriod: 1_000,
  connectTimeout: 10_000,
  forceNativeWebSocket: true,
  ...(key !== undefined && { username: 'key', password: key }),
});

/**
 * Connection options for a node: if the connection breaks, the broker announces at once that it has
 * left.
 */
export const nodeOptions = (nodeId: string, key?: string): MqttOptions => ({
  ...clientOptions(nodeId, key),
  will: { topic: leaveTopic(nodeId), payload: leaveText(nodeId), qos: 1, retain: false },
});

export const leaveText = (nodeId: string): string => JSON.stringify({ node_id: nodeId });
