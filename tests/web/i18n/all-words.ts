import { en } from '../../../web/i18n/en.ts';
import { ja } from '../../../web/i18n/ja.ts';
import type { Message } from '../../../web/i18n/message.ts';
import { enAlerts } from '../../../web/screens/alerts/words/en-alerts.ts';
import { jaAlerts } from '../../../web/screens/alerts/words/ja-alerts.ts';
import { enApiDocs } from '../../../web/screens/api-docs/words/en-api-docs.ts';
import { jaApiDocs } from '../../../web/screens/api-docs/words/ja-api-docs.ts';
import { enBrain } from '../../../web/screens/brain/words/en-brain.ts';
import { jaBrain } from '../../../web/screens/brain/words/ja-brain.ts';
import { enEvaluate } from '../../../web/screens/evaluate/words/en-evaluate.ts';
import { jaEvaluate } from '../../../web/screens/evaluate/words/ja-evaluate.ts';
import { enGateway } from '../../../web/screens/gateway/words/en-gateway.ts';
import { jaGateway } from '../../../web/screens/gateway/words/ja-gateway.ts';
import { enJobs } from '../../../web/screens/jobs/words/en-jobs.ts';
import { jaJobs } from '../../../web/screens/jobs/words/ja-jobs.ts';
import { enKeys } from '../../../web/screens/keys/words/en-keys.ts';
import { jaKeys } from '../../../web/screens/keys/words/ja-keys.ts';
import { enLab } from '../../../web/screens/lab/words/en-lab.ts';
import { jaLab } from '../../../web/screens/lab/words/ja-lab.ts';
import { enMetrics } from '../../../web/screens/metrics/words/en-metrics.ts';
import { jaMetrics } from '../../../web/screens/metrics/words/ja-metrics.ts';
import { enModels } from '../../../web/screens/models/words/en-models.ts';
import { jaModels } from '../../../web/screens/models/words/ja-models.ts';
import { enEvents } from '../../../web/screens/overview/events/words/en-events.ts';
import { jaEvents } from '../../../web/screens/overview/events/words/ja-events.ts';
import { enPlayground } from '../../../web/screens/playground/words/en-playground.ts';
import { jaPlayground } from '../../../web/screens/playground/words/ja-playground.ts';
import { enNeurons } from '../../../web/screens/neurons/words/en-neurons.ts';
import { jaNeurons } from '../../../web/screens/neurons/words/ja-neurons.ts';
import { enPlugins } from '../../../web/screens/plugins/words/en-plugins.ts';
import { jaPlugins } from '../../../web/screens/plugins/words/ja-plugins.ts';
import { enRegions } from '../../../web/screens/regions/words/en-regions.ts';
import { jaRegions } from '../../../web/screens/regions/words/ja-regions.ts';
import { enSimulator } from '../../../web/screens/simulator/words/en-simulator.ts';
import { jaSimulator } from '../../../web/screens/simulator/words/ja-simulator.ts';
import { enMemory } from '../../../web/screens/memory/words/en-memory.ts';
import { jaMemory } from '../../../web/screens/memory/words/ja-memory.ts';
import { enSensors } from '../../../web/screens/sensors/words/en-sensors.ts';
import { jaSensors } from '../../../web/screens/sensors/words/ja-sensors.ts';
import { enTestRuns } from '../../../web/screens/test-runs/words/en-test-runs.ts';
import { jaTestRuns } from '../../../web/screens/test-runs/words/ja-test-runs.ts';
import { enSignIn } from '../../../web/app/sign-in/words/en-sign-in.ts';
import { jaSignIn } from '../../../web/app/sign-in/words/ja-sign-in.ts';
import { enTrainers } from '../../../web/screens/trainers/words/en-trainers.ts';
import { jaTrainers } from '../../../web/screens/trainers/words/ja-trainers.ts';

export type Words = Readonly<Record<string, Message>>;

/** The words of a screen under its name: two screens may use one key. */
const of = (screen: string, words: Words): Words =>
  Object.fromEntries(Object.entries(words).map(([key, word]) => [`${screen}/${key}`, word]));

/** The words of the shell, and those that the screens bring along. */
export const english: Words = {
  ...en,
  ...enLab,
  ...of('alerts', enAlerts),
  ...of('metrics', enMetrics),
  ...of('api-docs', enApiDocs),
  ...of('brain', enBrain),
  ...of('evaluate', enEvaluate),
  ...of('gateway', enGateway),
  ...of('jobs', enJobs),
  ...of('keys', enKeys),
  ...of('memory', enMemory),
  ...of('models', enModels),
  ...of('overview', enEvents),
  ...of('playground', enPlayground),
  ...of('neurons', enNeurons),
  ...of('plugins', enPlugins),
  ...of('regions', enRegions),
  ...of('simulator', enSimulator),
  ...of('sensors', enSensors),
  ...of('sign-in', enSignIn),
  ...of('test-runs', enTestRuns),
  ...of('trainers', enTrainers),
};

export const japanese: Words = {
  ...ja,
  ...jaLab,
  ...of('alerts', jaAlerts),
  ...of('metrics', jaMetrics),
  ...of('api-docs', jaApiDocs),
  ...of('brain', jaBrain),
  ...of('evaluate', jaEvaluate),
  ...of('gateway', jaGateway),
  ...of('jobs', jaJobs),
  ...of('keys', jaKeys),
  ...of('memory', jaMemory),
  ...of('models', jaModels),
  ...of('overview', jaEvents),
  ...of('playground', jaPlayground),
  ...of('neurons', jaNeurons),
  ...of('plugins', jaPlugins),
  ...of('regions', jaRegions),
  ...of('simulator', jaSimulator),
  ...of('sensors', jaSensors),
  ...of('sign-in', jaSignIn),
  ...of('test-runs', jaTestRuns),
  ...of('trainers', jaTrainers),
};
