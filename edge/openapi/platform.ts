import type { OpenApiDocument } from './document.ts';
import { generateDocument, type Mounted } from './generate.ts';
import type { Reach } from './refusals.ts';
import { type DescribedService, SERVICE_NAMES, SERVICES } from './services.ts';

/** How the services are reached through the gateway; a training server is not: its load balancer is. */
const REACHES: Readonly<Partial<Record<DescribedService, Reach>>> = {
  gateway: 'direct',
  training: 'forwarded',
  'lm-training': 'forwarded',
  inference: 'registered',
  'edge-inference': 'forwarded',
  registry: 'forwarded',
  monitoring: 'forwarded',
  'plugin-host': 'registered',
  'test-host': 'registered',
};

/** The whole platform, as it is reached through the gateway. */
export const PLATFORM: readonly Mounted[] = SERVICE_NAMES.flatMap((name) => {
  const reach = REACHES[name];
  if (!reach) return [];
  return [{ service: SERVICES[name], prefix: name === 'gateway' ? '' : `/${name}`, reach }];
});

/** What a service answers at `/openapi.json`: the gateway speaks for all of them. */
export function documentOf(name: DescribedService): OpenApiDocument {
  const service = SERVICES[name];
  if (name === 'gateway') {
    const summary = 'Trains, stores and serves spiking neural networks.';
    return generateDocument({ title: 'spikegrid', summary }, PLATFORM);
  }
  const info = { title: `spikegrid ${name}`, summary: service.summary };
  return generateDocument(info, [{ service, prefix: '', reach: 'direct' }]);
}
