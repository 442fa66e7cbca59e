import * as z from 'zod/mini';
import { accessEndpoints } from '../contract/access-endpoints.ts';
import { alertEndpoints } from '../contract/alert-endpoints.ts';
import { backupEndpoints } from '../contract/backup-endpoints.ts';
import { ReceiverId } from '../contract/alert-receiver.ts';
import { RuleId } from '../contract/alert-rule.ts';
import {
  frontEndpoints,
  gatewayEndpoints,
  legacyEndpoints,
} from '../contract/gateway-endpoints.ts';
import { eventEndpoints } from '../contract/events/event-endpoints.ts';
import { geoEndpoints } from '../contract/geo-endpoints.ts';
import { NodeId } from '../contract/geo/node.ts';
import { RegionId } from '../contract/geo/region.ts';
import { KeyId } from '../contract/keys.ts';
import { logEndpoints } from '../contract/logs/log-endpoints.ts';
import { memoryEndpoints } from '../contract/memory-endpoints.ts';
import { MemoryId, MemoryName, MemoryNamespace } from '../contract/memory/memory.ts';
import { MetricService } from '../contract/metrics.ts';
import { brainEndpoints } from '../contract/brain-endpoints.ts';
import { discoveryEndpoints } from '../contract/discovery-endpoints.ts';
import { monitoringEndpoints } from '../contract/monitoring-endpoints.ts';
import { problemEndpoints } from '../contract/openapi-endpoints.ts';
import { otlpEndpoints } from '../contract/otlp/otlp-endpoints.ts';
import { TraceId } from '../contract/otlp/span.ts';
import { type ProblemCode, PROBLEMS } from '../contract/problem.ts';
import { promqlEndpoints } from '../contract/promql-endpoints.ts';
import { ServiceName } from '../contract/service.ts';
import { pluginEndpoints } from '../contract/plugins/plugin-endpoints.ts';
import { PluginName } from '../contract/plugins/plugin.ts';
import { sensorEndpoints } from '../contract/sensor-endpoints.ts';
import { SensorId } from '../contract/sensor/sensor.ts';
import { TestRunId } from '../contract/test-run/test-run.ts';
import { testRunEndpoints } from '../contract/test-run/test-run-endpoints.ts';
import { partOf, type ServiceDescription } from './description.ts';
import { backupExamples } from './examples/backup.ts';
import { brainExamples } from './examples/brain.ts';
import { accessExamples } from './examples/access.ts';
import { alertExamples } from './examples/alerts.ts';
import { discoveryExamples } from './examples/discovery.ts';
import { eventExamples } from './examples/events.ts';
import { frontExamples, gatewayExamples, legacyExamples } from './examples/gateway.ts';
import { geoExamples } from './examples/geo.ts';
import { logExamples } from './examples/logs.ts';
import { memoryExamples } from './examples/memory.ts';
import { monitoringExamples } from './examples/monitoring.ts';
import { problemExamples } from './examples/openapi.ts';
import { otlpExamples } from './examples/otlp.ts';
import { promqlExamples } from './examples/promql.ts';
import { pluginExamples } from './examples/plugins.ts';
import { sensorExamples } from './examples/sensors.ts';
import { testRunExamples } from './examples/test-runs.ts';
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
