import { type Http, openHttp } from '../../edge/contract/client.ts';
import type { ServiceAddress } from '../../trainer/index.ts';
import { type GatewayOptions, keyHeaders } from './gateway-access.ts';

/** Where the training service is behind a gateway, with the key to it. */
export function trainingAddress({ gateway, key }: GatewayOptions): ServiceAddress {
  return { base: `${gateway.replace(/\/+$/, '')}/training`, headers: keyHeaders(key) };
}

export function openTraining(options: GatewayOptions): Http {
  return openHttp(trainingAddress(options));
}
