import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { ownProblem } from '../../edge/contract/refusal.ts';

/**
 * Connects to a broker, and again whenever the connection breaks.
 *
 * @param url shown where it fails: without user and password
 * @throws ProblemError upstream_error where it cannot connect at first
 */
export async function connectClient(
  url: string,
  options: IClientOptions & { readonly clientId: string },
): Promise<MqttClient> {
  const client = await connectAsync(url, options, false).catch((error: Error) => {
    throw ownProblem(
      'upstream_error',
      `${options.clientId} cannot connect to ${url}: ${whyNot(error, options)}`,
    );
  });
  // It tries again by itself; without a listener the first fault would end the process.
  client.on('error', () => {});
  return client;
}

/** CONNACK of a broker that speaks 3.1.1 alone (its clause 3.1.2-2), and of one that says so in MQTT 5. */
const OTHER_VERSIONS: readonly unknown[] = [0x01, 0x84];

function whyNot(error: Error, { protocolVersion }: IClientOptions): string {
  if (protocolVersion === 5 && 'code' in error && OTHER_VERSIONS.includes(error.code)) {
    return 'it speaks no MQTT 5, which prompts and their answers need';
  }
  // A WebSocket says nothing of why it failed.
  return error.message || 'no connection, or no credentials that hold';
}
