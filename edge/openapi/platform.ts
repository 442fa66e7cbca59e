import type { OpenApiDocument } from './document.ts';
import { generateDocument, type Mounted } from './generate.ts';
import { type DescribedService, SERVICES } from './services.ts';

/** The whole platform, as it is reached through the gateway. */
export const PLATFORM: readonly Mounted[] = Object.values(SERVICES).map((service) =>
  service === SERVICES.gateway
    ? { service, prefix: '', reach: 'direct' }
    : { service, prefix: `/${service.name}`, reach: 'forwarded' },
);

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
