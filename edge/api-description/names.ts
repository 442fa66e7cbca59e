import * as alert from '../alerts/contract/alert.ts';
import * as alertHistory from '../alerts/contract/alert.ts';
import * as alertCondition from '../alerts/contract/alert-rule.ts';
import * as alertRule from '../alerts/contract/alert-rule.ts';
import * as alertMatcher from '../alerts/contract/alert-matcher.ts';
import * as alertPreview from '../alerts/contract/alert-preview.ts';
import * as alertReceiver from '../alerts/contract/alert-receiver.ts';
import * as alertSilence from '../alerts/contract/alert-silence.ts';
import * as alias from '../registry/contract/alias.ts';
import * as audit from '../access/contract/audit.ts';
import * as backup from '../backup/contract/backup.ts';
import * as brainPrompt from '../brain/contract/prompt.ts';
import * as brainReply from '../brain/contract/reply.ts';
import * as brain from '../brain/endpoints.ts';
import * as compatibility from '../registry/contract/compatibility.ts';
import * as dashboard from '../monitoring/contract/dashboard.ts';
import * as digest from '../contract/digest.ts';
import * as discoveryNode from '../discovery/contract/node.ts';
import * as discovery from '../discovery/endpoints.ts';
import * as geoEvent from '../geo/contract/event.ts';
import * as geoFailover from '../geo/contract/failover.ts';
import * as geoLatency from '../geo/contract/latency.ts';
import * as geoNode from '../geo/contract/node.ts';
import * as geoRegion from '../geo/contract/region.ts';
import * as health from '../health/contract/health.ts';
import * as keys from '../access/contract/keys.ts';
import * as lineage from '../registry/contract/lineage.ts';
import * as logMessage from '../logs/contract/log-message.ts';
import * as logQuery from '../logs/contract/log-query.ts';
import * as causal from '../memory/contract/causal.ts';
import * as memoryGraph from '../memory/contract/graph.ts';
import * as memory from '../memory/contract/memory.ts';
import * as memoryNamespace from '../memory/contract/namespace.ts';
import * as memorySearch from '../memory/contract/search.ts';
import * as metrics from '../monitoring/contract/metrics.ts';
import * as metricsQuery from '../monitoring/contract/metrics-query.ts';
import * as model from '../registry/contract/model.ts';
import * as modelFile from '../registry/contract/model-file.ts';
import * as modelList from '../registry/contract/model-list.ts';
import * as openApi from './endpoints.ts';
import * as otlpExport from '../otlp/contract/export.ts';
import * as otlp from '../otlp/endpoints.ts';
import * as otlpSpan from '../otlp/contract/span.ts';
import * as paging from '../contract/paging.ts';
import * as problem from '../contract/problem.ts';
import * as promql from '../promql/endpoints.ts';
import * as scope from '../contract/scope.ts';
import * as semver from '../contract/semver.ts';
import * as sensor from '../sensors/contract/sensor.ts';
import * as sensorEncoding from '../sensors/contract/encoding.ts';
import * as sensorReading from '../sensors/contract/reading.ts';
import * as service from '../contract/service.ts';
import * as session from '../access/contract/session.ts';
import * as testRun from '../test-runs/contract/test-run.ts';
import * as timestamp from '../contract/timestamp.ts';
import * as capacity from '../training/contract/capacity.ts';
import * as checkpoint from '../training/contract/checkpoint.ts';
import * as controls from '../training/contract/controls.ts';
import * as dataset from '../datasets/contract/dataset.ts';
import * as job from '../training/contract/job.ts';
import * as infer from '../inference/contract/infer.ts';
import * as openInference from '../inference/contract/open-inference.ts';
import * as pluginConfiguration from '../plugins/contract/configuration.ts';
import * as pluginExecution from '../plugins/contract/execution.ts';
import * as plugin from '../plugins/contract/plugin.ts';
import * as loadedModel from '../inference/contract/loaded-model.ts';
import * as jobEvent from '../training/contract/job-event.ts';
import * as round from '../training/contract/round.ts';
import * as trainer from '../training/contract/trainer.ts';
import * as trainRequest from '../training/contract/train-request.ts';
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
