import { type MessageLine, mqttLine } from '../../edge/discovery/contract/message-line.ts';
import { clientOptions, nodeOptions } from '../../edge/discovery/contract/node-connection.ts';
import { EngineError } from '../../engine/index.ts';
import { connectClient } from './connect-client.ts';

/** A broker of others, such as mosquitto or EMQX, and who comes. */
interface OutsideBroker {
  /** Such as mqtt://broker:1883, mqtts://… or ws://…; what stands before an @ is user and password. */
  readonly url: string;
  readonly clientId: string;
  /** Leaves a will as nodes do. */
  readonly isNode?: boolean;
  /**
   * 4 is MQTT 3.1.1, which every broker speaks: enough to watch nodes. Prompts are answered over 5 alone,
   * whose messages carry where the answer is expected.
   */
  readonly version: 4 | 5;
}

/** A line to an outside broker, and whether it is up. */
export interface OutsideLine extends MessageLine {
  readonly isUp: boolean;
}

/** Where a broker is, without the secrets, and who one is there. */
interface BrokerLogin {
  /** To be shown. */
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
}

const PROTOCOLS = ['mqtt:', 'mqtts:', 'ws:', 'wss:'];

/**
 * Takes the address of a broker apart. User and password are those of the address, else of MQTT_USERNAME and
 * MQTT_PASSWORD.
 *
 * @throws EngineError invalid-setting, which shows neither
 */
export function parseBroker(text: string, env = process.env): BrokerLogin {
  const url = URL.parse(text);
  const expected = 'expected mqtt://host:1883, mqtts://…, ws://… or wss://…';
  if (!url) throw new EngineError('invalid-setting', `the broker's address is none: ${expected}`);
  if (!PROTOCOLS.includes(url.protocol) || url.hostname === '') {
    const got = `${url.protocol}//${url.host}`;
    throw new EngineError('invalid-setting', `the broker's address is ${got}: ${expected}`);
  }
  const username = decoded(url.username) || env['MQTT_USERNAME'];
  const password = decoded(url.password) || env['MQTT_PASSWORD'];
  url.username = '';
  url.password = '';
  return { url: url.href, ...(username && { username }), ...(password && { password }) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    const why = 'a % in the user or password of the broker is not followed by two hex digits';
    throw new EngineError('invalid-setting', `${why}: expected %25 for a % itself`);
  }
}

/**
 * Connects to an outside broker, and again whenever the line breaks.
 *
 * @throws ProblemError upstream_error where it cannot at first
 */
export async function connectOutside(broker: OutsideBroker): Promise<OutsideLine> {
  const { clientId, isNode = false, version } = broker;
  const { url, ...login } = parseBroker(broker.url);
  const { forceNativeWebSocket: _, ...options } = isNode
    ? nodeOptions(clientId)
    : clientOptions(clientId);
  const client = await connectClient(url, { ...options, ...login, protocolVersion: version });
  return {
    ...mqttLine(client),
    get isUp() {
      return client.connected;
    },
  };
}
