import { descriptionFile, type OperationRefusals, REFUSALS_FILE } from './endpoints.ts';
import type { OpenApiDocument } from './document.ts';
import { generateDocument, type Mounted, operationsOf } from './generate.ts';
import { type Reach, refusalsOf } from './refusals.ts';
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

/** The document as a service keeps it: who asks for it is told its `servers`. */
export const textOf = (name: DescribedService): string =>
  JSON.stringify({ ...documentOf(name), servers: undefined });

let files: Readonly<Record<string, string>> | undefined;

/** What the Worker says about itself, as files of its build by their paths: it has no code to make them. */
export function descriptionFiles(): Readonly<Record<string, string>> {
  return (files ??= makeFiles());
}

function makeFiles(): Readonly<Record<string, string>> {
  const ofTheWorker = SERVICE_NAMES.filter((name) =>
    ['direct', 'forwarded'].includes(REACHES[name] ?? ''),
  );
  const documents = ofTheWorker.map((name) => [descriptionFile(name), textOf(name)] as const);
  return {
    ...Object.fromEntries(documents),
    [REFUSALS_FILE]: JSON.stringify(operationRefusals()),
  };
}

function operationRefusals(): readonly OperationRefusals[] {
  return Array.from(operationsOf(PLATFORM), ({ path, endpoint, described }) => ({
    operation_id: `${described.service}_${described.name}`,
    method: endpoint.method,
    path,
    codes: [...refusalsOf(endpoint, described.reach)],
  }));
}
