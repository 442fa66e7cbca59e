import * as alert from '../contract/alert.ts';
import * as alertCondition from '../contract/alert-condition.ts';
import * as alertHistory from '../contract/alert-history.ts';
import * as alertMatcher from '../contract/alert-matcher.ts';
import * as alertPreview from '../contract/alert-preview.ts';
import * as alertReceiver from '../contract/alert-receiver.ts';
import * as alertRule from '../contract/alert-rule.ts';
import * as alertSilence from '../contract/alert-silence.ts';
import * as alias from '../contract/alias.ts';
import * as audit from '../contract/audit.ts';
import * as backup from '../contract/backup.ts';
import * as brainPrompt from '../contract/brain/prompt.ts';
import * as brainReply from '../contract/brain/reply.ts';
import * as brain from '../contract/brain-endpoints.ts';
import * as compatibility from '../contract/compatibility.ts';
import * as dashboard from '../contract/dashboard.ts';
import * as digest from '../contract/digest.ts';
import * as discoveryNode from '../contract/discovery/node.ts';
import * as discovery from '../contract/discovery-endpoints.ts';
import * as geoEvent from '../contract/geo/event.ts';
import * as geoFailover from '../contract/geo/failover.ts';
import * as geoLatency from '../contract/geo/latency.ts';
import * as geoNode from '../contract/geo/node.ts';
import * as geoRegion from '../contract/geo/region.ts';
import * as health from '../contract/health.ts';
import * as keys from '../contract/keys.ts';
import * as lineage from '../contract/lineage.ts';
import * as logMessage from '../contract/logs/log-message.ts';
import * as logQuery from '../contract/logs/log-query.ts';
import * as causal from '../contract/memory/causal.ts';
import * as memoryGraph from '../contract/memory/graph.ts';
import * as memory from '../contract/memory/memory.ts';
import * as memoryNamespace from '../contract/memory/namespace.ts';
import * as memorySearch from '../contract/memory/search.ts';
import * as metrics from '../contract/metrics.ts';
import * as metricsQuery from '../contract/metrics-query.ts';
import * as model from '../contract/model.ts';
import * as modelFile from '../contract/model-file.ts';
import * as modelList from '../contract/model-list.ts';
import * as openApi from '../contract/openapi-endpoints.ts';
import * as otlpExport from '../contract/otlp/export.ts';
import * as otlp from '../contract/otlp/otlp-endpoints.ts';
import * as otlpSpan from '../contract/otlp/span.ts';
import * as paging from '../contract/paging.ts';
import * as problem from '../contract/problem.ts';
import * as promql from '../contract/promql-endpoints.ts';
import * as scope from '../contract/scope.ts';
import * as semver from '../contract/semver.ts';
import * as sensor from '../contract/sensor/sensor.ts';
import * as sensorEncoding from '../contract/sensor/encoding.ts';
import * as sensorReading from '../contract/sensor/reading.ts';
import * as service from '../contract/service.ts';
import * as session from '../contract/session.ts';
import * as testRun from '../contract/test-run/test-run.ts';
import * as timestamp from '../contract/timestamp.ts';
import * as capacity from '../contract/training/capacity.ts';
import * as checkpoint from '../contract/training/checkpoint.ts';
import * as controls from '../contract/training/controls.ts';
import * as dataset from '../contract/training/dataset.ts';
import * as job from '../contract/training/job.ts';
import * as infer from '../contract/inference/infer.ts';
import * as openInference from '../contract/inference/open-inference.ts';
import * as pluginConfiguration from '../contract/plugins/configuration.ts';
import * as pluginExecution from '../contract/plugins/execution.ts';
import * as plugin from '../contract/plugins/plugin.ts';
import * as loadedModel from '../contract/inference/loaded-model.ts';
import * as jobEvent from '../contract/training/job-event.ts';
import * as round from '../contract/training/round.ts';
import * as trainer from '../contract/training/trainer.ts';
import * as trainRequest from '../contract/training/train-request.ts';
import type { Schema } from '../contract/endpoint.ts';

/** Metrics have points and series of their own. */
const { MetricPoint: TrainingPoint, MetricSeries: TrainingSeries, ...jobEvents } = jobEvent;

/** The modules of the contract whose schemas are components under the names they are exported by. */
const MODULES: readonly object[] = [
  alert,
  alertCondition,
  alertHistory,
  alertMatcher,
  alertPreview,
  alertReceiver,
  alertRule,
  alertSilence,
  alias,
  audit,
  backup,
  brain,
  brainPrompt,
  brainReply,
  compatibility,
  dashboard,
  digest,
  discovery,
  discoveryNode,
  geoEvent,
  geoFailover,
  geoLatency,
  geoNode,
  geoRegion,
  health,
  keys,
  lineage,
  logMessage,
  logQuery,
  causal,
  memory,
  memoryGraph,
  memoryNamespace,
  memorySearch,
  metrics,
  metricsQuery,
  model,
  modelFile,
  modelList,
  openApi,
  otlp,
  otlpExport,
  otlpSpan,
  paging,
  problem,
  promql,
  scope,
  semver,
  sensor,
  sensorEncoding,
  sensorReading,
  service,
  session,
  testRun,
  timestamp,
  capacity,
  checkpoint,
  controls,
  dataset,
  job,
  jobEvents,
  { TrainingPoint, TrainingSeries },
  infer,
  loadedModel,
  openInference,
  plugin,
  pluginConfiguration,
  pluginExecution,
  round,
  trainer,
  trainRequest,
];

/** The names of the contract's schemas. @throws TypeError where two schemas share one */
export function schemaNames(): ReadonlyMap<Schema, string> {
  const names = new Map<Schema, string>();
  const taken = new Set<string>();
  for (const [name, schema] of MODULES.flatMap((module) => Object.entries(module))) {
    if (!isZodSchema(schema) || names.has(schema)) continue;
    if (taken.has(name)) throw new TypeError(`two schemas are named ${name}`);
    taken.add(name);
    names.set(schema, name);
  }
  return names;
}

const isZodSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value;
