import { type Http, openHttp } from '../../edge/contract/client.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { secretOf } from '../process/secrets.ts';

/** Where a gateway is, and the key to it. */
export interface GatewayOptions {
  readonly gateway: string;
  /** From SPIKEGRID_KEY or SPIKEGRID_KEY_FILE where it is left out; a machine of one's own needs none. */
  readonly key?: string;
}

/** The key in SPIKEGRID_KEY, else in the file that SPIKEGRID_KEY_FILE names, which only its owner need read. */
export function keyOfEnvironment(): string | undefined {
  return secretOf(process.env, 'SPIKEGRID_KEY');
}

/** The headers that carry a key: the one given, else that of the environment, else none. */
export function keyHeaders(key = keyOfEnvironment()): Record<string, string> {
  return key ? { authorization: `Bearer ${key.trim()}` } : {};
}

export function openGateway({ gateway, key }: GatewayOptions): Http {
  return openHttp({ base: gateway.replace(/\/+$/, ''), headers: keyHeaders(key) });
}

/** The options that lead to a gateway, and the scopes that the key has to have. */
export function atGateway(command: Command, needed: string | readonly string[]): Command {
  const scopes = typeof needed === 'string' ? `scope ${needed}` : `scopes ${needed.join(', ')}`;
  return command
    .option('--gateway <url>', 'the gateway', gatewayOption, 'http://127.0.0.1:8000')
    .option('--key <key>', `a key with the ${scopes} (default: SPIKEGRID_KEY)`);
}

/** The option that leads to a broker of others instead. It is parsed later: what it holds may not be shown. */
export const brokerOption = (): Option =>
  new Option(
    '--broker <url>',
    "a broker of your own in place of the gateway's, such as mqtt://broker:1883",
  ).env('MQTT_URL');

/** Parses an option that is the address of a gateway. */
export function gatewayOption(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError(
    `got "${text}", expected an address such as http://127.0.0.1:8000.`,
  );
}
