import * as z from 'zod/mini';
import { accessEndpoints } from '../access/endpoints.ts';
import { alertEndpoints } from '../alerts/endpoints.ts';
import { backupEndpoints } from '../backup/endpoints.ts';
import { ReceiverId } from '../alerts/contract/alert-receiver.ts';
import { RuleId } from '../alerts/contract/alert-rule.ts';
import { frontEndpoints, gatewayEndpoints, legacyEndpoints } from '../gateway/endpoints.ts';
import { eventEndpoints } from '../events/endpoints.ts';
import { geoEndpoints } from '../geo/endpoints.ts';
import { NodeId } from '../geo/contract/node.ts';
import { RegionId } from '../geo/contract/region.ts';
import { KeyId } from '../access/contract/keys.ts';
import { logEndpoints } from '../logs/endpoints.ts';
import { memoryEndpoints } from '../memory/endpoints.ts';
import { MemoryId, MemoryName, MemoryNamespace } from '../memory/contract/memory.ts';
import { MetricService } from '../monitoring/contract/metrics.ts';
import { brainEndpoints } from '../brain/endpoints.ts';
import { discoveryEndpoints } from '../discovery/endpoints.ts';
import { monitoringEndpoints } from '../monitoring/endpoints.ts';
import { problemEndpoints } from './endpoints.ts';
import { otlpEndpoints } from '../otlp/endpoints.ts';
import { TraceId } from '../otlp/contract/span.ts';
import { type ProblemCode, PROBLEMS } from '../contract/problem.ts';
import { promqlEndpoints } from '../promql/endpoints.ts';
import { ServiceName } from '../contract/service.ts';
import { pluginEndpoints } from '../plugins/endpoints.ts';
import { PluginName } from '../plugins/contract/plugin.ts';
import { sensorEndpoints } from '../sensors/endpoints.ts';
import { SensorId } from '../sensors/contract/sensor.ts';
import { TestRunId } from '../test-runs/contract/test-run.ts';
import { testRunEndpoints } from '../test-runs/endpoints.ts';
import { partOf, type ServiceDescription } from './description.ts';
import { backupExamples } from '../backup/examples.ts';
import { brainExamples } from '../brain/examples.ts';
import { accessExamples } from '../access/examples.ts';
import { alertExamples } from '../alerts/examples.ts';
import { discoveryExamples } from '../discovery/examples.ts';
import { eventExamples } from '../events/examples.ts';
import { frontExamples, gatewayExamples, legacyExamples } from '../gateway/examples.ts';
import { geoExamples } from '../geo/examples.ts';
import { logExamples } from '../logs/examples.ts';
import { memoryExamples } from '../memory/examples.ts';
import { monitoringExamples } from '../monitoring/examples.ts';
import { problemExamples } from './examples.ts';
import { otlpExamples } from '../otlp/examples.ts';
import { promqlExamples } from '../promql/examples.ts';
import { pluginExamples } from '../plugins/examples.ts';
import { sensorExamples } from '../sensors/examples.ts';
import { testRunExamples } from '../test-runs/examples.ts';
import { AnyId, COMMON, COMMON_AND_METRICS } from './common-parts.ts';
import {
  edgeInference,
  inference,
  lmTraining,
  registry,
  training,
  trainingServer,
} from './model-services.ts';

const ProblemName = z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]);

/** Of the gateway and of monitoring. */
const OTLP = partOf({
  endpoints: otlpEndpoints,
  examples: otlpExamples,
  params: { 'traces/:trace_id': { description: 'The trace.', schema: TraceId } },
});

const REGION = { description: 'The region.', schema: RegionId };

const testRuns = partOf({
  endpoints: testRunEndpoints,
  examples: testRunExamples,
  params: { 'runs/:run_id': { description: 'The run.', schema: TestRunId } },
});

const gateway: ServiceDescription = {
  name: 'gateway',
  summary:
    'The way in: services and their health, keys, sessions and the audit log, regions and failover, memories, sensors, test runs.',
  parts: [
    ...COMMON,
    partOf({
      endpoints: gatewayEndpoints,
      examples: gatewayExamples,
      params: { 'services/:name': { description: 'The service.', schema: ServiceName } },
    }),
    partOf({ endpoints: legacyEndpoints, examples: legacyExamples, params: {} }),
    partOf({ endpoints: frontEndpoints, examples: frontExamples, params: {} }),
    OTLP,
    partOf({ endpoints: discoveryEndpoints, examples: discoveryExamples, params: {} }),
    partOf({ endpoints: brainEndpoints, examples: brainExamples, params: {} }),
    partOf({
      endpoints: accessEndpoints,
      examples: accessExamples,
      params: { 'keys/:id': { description: 'The public part of a key.', schema: KeyId } },
    }),
    partOf({ endpoints: backupEndpoints, examples: backupExamples, params: {} }),
    partOf({ endpoints: logEndpoints, examples: logExamples, params: {} }),
    partOf({ endpoints: eventEndpoints, examples: eventExamples, params: {} }),
    partOf({
      endpoints: geoEndpoints,
      examples: geoExamples,
      params: {
        'regions/:region_id': REGION,
        'replication-group/:region_id': REGION,
        'nodes/:node_id': { description: 'The node.', schema: NodeId },
      },
    }),
    testRuns,
    partOf({
      endpoints: memoryEndpoints,
      examples: memoryExamples,
      params: {
        'memories/:memory_id': { description: 'The memory.', schema: MemoryId },
        'users/:user_id': { description: 'The user.', schema: MemoryName },
        'namespaces/:namespace': { description: 'The namespace.', schema: MemoryNamespace },
      },
    }),
    partOf({
      endpoints: sensorEndpoints,
      examples: sensorExamples,
      params: { 'sensors/:sensor_id': { description: 'The sensor.', schema: SensorId } },
    }),
    partOf({
      endpoints: problemEndpoints,
      examples: problemExamples,
      params: {
        'problems/:code': { description: 'The `code` of a problem.', schema: ProblemName },
      },
    }),
  ],
};

const pluginHost: ServiceDescription = {
  name: 'plugin-host',
  summary: 'Plugins: their status, their settings, and what they compute.',
  parts: [
    ...COMMON_AND_METRICS,
    partOf({
      endpoints: pluginEndpoints,
      examples: pluginExamples,
      params: { 'plugins/:name': { description: 'The plugin.', schema: PluginName } },
    }),
  ],
};

const testHost: ServiceDescription = {
  name: 'test-host',
  summary: "Runs of this project's own tests, where that is switched on.",
  parts: [...COMMON_AND_METRICS, testRuns],
};

const monitoring: ServiceDescription = {
  name: 'monitoring',
  summary: 'What the services measure over time, and what is wrong with them.',
  parts: [
    ...COMMON,
    partOf({
      endpoints: monitoringEndpoints,
      examples: monitoringExamples,
      params: { 'metrics/:service': { description: 'Who measures.', schema: MetricService } },
    }),
    OTLP,
    partOf({ endpoints: promqlEndpoints, examples: promqlExamples, params: {} }),
    partOf({
      endpoints: alertEndpoints,
      examples: alertExamples,
      params: {
        'rules/:id': { description: 'The rule.', schema: RuleId },
        'silences/:id': { description: 'The silence.', schema: AnyId },
        'receivers/:id': { description: 'The receiver.', schema: ReceiverId },
      },
    }),
  ],
};

/** Every service with the tables it serves: a new table joins here. */
export const SERVICES = {
  gateway,
  training,
  'lm-training': lmTraining,
  inference,
  'edge-inference': edgeInference,
  registry,
  monitoring,
  'plugin-host': pluginHost,
  'test-host': testHost,
  'training-server': trainingServer,
} as const satisfies Readonly<Record<string, ServiceDescription>>;
export type DescribedService = keyof typeof SERVICES;

export const SERVICE_NAMES = Object.keys(SERVICES) as readonly DescribedService[];
