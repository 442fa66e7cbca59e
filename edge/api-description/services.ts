import { accessDocs } from '../access/endpoints.ts';
import { alertDocs } from '../alerts/endpoints.ts';
import { backupDocs } from '../backup/endpoints.ts';
import { brainDocs } from '../brain/endpoints.ts';
import type { DescribedEndpoints } from '../contract/endpoint-docs.ts';
import { datasetDocs } from '../datasets/endpoints.ts';
import { discoveryDocs } from '../discovery/endpoints.ts';
import { eventDocs } from '../events/endpoints.ts';
import { frontDocs, gatewayDocs, legacyDocs } from '../gateway/endpoints.ts';
import { geoDocs } from '../geo/endpoints.ts';
import { healthDocs, ownMetricsDocs } from '../health/endpoints.ts';
import { edgeInferenceDocs } from '../inference/edge-endpoints.ts';
import { inferenceDocs } from '../inference/endpoints.ts';
import { logDocs } from '../logs/endpoints.ts';
import { memoryDocs } from '../memory/endpoints.ts';
import { monitoringDocs } from '../monitoring/endpoints.ts';
import { otlpDocs } from '../otlp/endpoints.ts';
import { pluginDocs } from '../plugins/endpoints.ts';
import { promqlDocs } from '../promql/endpoints.ts';
import { registryDocs } from '../registry/endpoints.ts';
import { sensorDocs } from '../sensors/endpoints.ts';
import { testRunDocs } from '../test-runs/endpoints.ts';
import { jobDocs, lmTrainingDocs } from '../training/job-endpoints.ts';
import { trainerDocs } from '../training/trainer-endpoints.ts';
import { datasetUploadDocs, uploadDocs } from '../uploads/endpoints.ts';
import { openApiDocs, problemDocs } from './endpoints.ts';
import type { Reach } from './refusals.ts';

/** A service as its API description shows it. */
export interface ServiceDescription {
  readonly summary: string;
  /** How it is reached through the gateway; undefined where it is not. */
  readonly reach: Reach | undefined;
  readonly tables: readonly DescribedEndpoints[];
}

/** Health and API description of every service. */
const COMMON = [healthDocs(), openApiDocs()];

/** The same of services that show their own metrics: all but those that show everybody's. */
const COMMON_AND_METRICS = [...COMMON, ownMetricsDocs()];

const services = <Name extends string>(described: Readonly<Record<Name, ServiceDescription>>) =>
  described;

/** Every service with the tables it serves: a new table joins here. */
export const SERVICES = services({
  gateway: {
    summary:
      'The way in: services and their health, keys, sessions and the audit log, regions and failover, memories, sensors, test runs.',
    reach: 'direct',
    tables: [
      ...COMMON,
      gatewayDocs(),
      legacyDocs(),
      frontDocs(),
      otlpDocs(),
      discoveryDocs(),
      brainDocs(),
      accessDocs(),
      backupDocs(),
      logDocs(),
      eventDocs(),
      geoDocs(),
      testRunDocs(),
      memoryDocs(),
      sensorDocs(),
      problemDocs(),
    ],
  },
  training: {
    summary: 'Jobs, the trainers that lease them, and what they train on.',
    reach: 'forwarded',
    tables: [...COMMON_AND_METRICS, jobDocs(), trainerDocs(), datasetDocs(), datasetUploadDocs()],
  },
  'lm-training': {
    summary:
      'The load balancer in front of the training servers of language models, which answer the same at ports of their own.',
    reach: 'forwarded',
    tables: [...COMMON_AND_METRICS, lmTrainingDocs()],
  },
  inference: {
    summary: 'Models that answer, also by the Open Inference Protocol (v2).',
    reach: 'registered',
    tables: [...COMMON_AND_METRICS, inferenceDocs()],
  },
  'edge-inference': {
    summary: 'Small models that answer at the edge itself, on one thread of WASM.',
    reach: 'forwarded',
    tables: [...COMMON_AND_METRICS, edgeInferenceDocs()],
  },
  registry: {
    summary: 'What was trained: models, their versions and files.',
    reach: 'forwarded',
    tables: [...COMMON_AND_METRICS, registryDocs(), uploadDocs()],
  },
  monitoring: {
    summary: 'What the services measure over time, and what is wrong with them.',
    reach: 'forwarded',
    tables: [...COMMON, monitoringDocs(), otlpDocs(), promqlDocs(), alertDocs()],
  },
  'plugin-host': {
    summary: 'Plugins: their status, their settings, and what they compute.',
    reach: 'registered',
    tables: [...COMMON_AND_METRICS, pluginDocs()],
  },
  'test-host': {
    summary: "Runs of this project's own tests, where that is switched on.",
    reach: 'registered',
    tables: [...COMMON_AND_METRICS, testRunDocs()],
  },
  'training-server': {
    summary: 'A trainer of language models with a port of its own.',
    // Its load balancer is.
    reach: undefined,
    tables: [...COMMON_AND_METRICS, lmTrainingDocs()],
  },
});
export type DescribedService = keyof typeof SERVICES;

/** The services of worker.ts; the others are those of Node. */
export type WorkerServiceName = Exclude<
  DescribedService,
  'inference' | 'plugin-host' | 'test-host' | 'training-server'
>;
export const WORKER_SERVICE_NAMES = Object.keys(SERVICES).filter(
  (name): name is WorkerServiceName => {
    const { reach } = SERVICES[name as DescribedService];
    return reach === 'direct' || reach === 'forwarded';
  },
);

export const SERVICE_NAMES = Object.keys(SERVICES) as readonly DescribedService[];
