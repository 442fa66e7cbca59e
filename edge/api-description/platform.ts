import { descriptionFile, type OperationRefusals, REFUSALS_FILE } from './endpoints.ts';
import type { OpenApiDocument } from './document.ts';
import { generateDocument, type Mounted, operationsOf } from './generate.ts';
import { refusalsOf } from './refusals.ts';
import { type DescribedService, SERVICE_NAMES, SERVICES } from './services.ts';

/** The whole platform, as it is reached through the gateway. */
export const PLATFORM: readonly Mounted[] = SERVICE_NAMES.flatMap((name) => {
  const service = SERVICES[name];
  const { reach } = service;
  return reach ? [{ name, service, prefix: name === 'gateway' ? '' : `/${name}`, reach }] : [];
});

/** The document at `/openapi.json` of a service; the gateway's covers the whole platform. */
export function documentOf(name: DescribedService): OpenApiDocument {
  const service = SERVICES[name];
  if (name === 'gateway') {
    const summary = 'Trains, stores and serves spiking neural networks.';
    return generateDocument({ title: 'spikegrid', summary }, PLATFORM);
  }
  const info = { title: `spikegrid ${name}`, summary: service.summary };
  return generateDocument(info, [{ name, service, prefix: '', reach: 'direct' }]);
}

/** The document as text, without `servers`: they depend on the request. */
export const textOf = (name: DescribedService): string =>
  JSON.stringify({ ...documentOf(name), servers: undefined });

let files: Readonly<Record<string, string>> | undefined;

/** The Worker's descriptions as files of its build, by path: it carries no code to generate them. */
export function descriptionFiles(): Readonly<Record<string, string>> {
  return (files ??= makeFiles());
}

function makeFiles(): Readonly<Record<string, string>> {
  const ofTheWorker = SERVICE_NAMES.filter((name) =>
    ['direct', 'forwarded'].includes(SERVICES[name].reach ?? ''),
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
