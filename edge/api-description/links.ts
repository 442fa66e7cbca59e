import type { Described } from './operation.ts';
import type { Link, ResponseObject } from './document.ts';

/** Parameters of operations of the same service, by the operation's name. */
type Targets = Readonly<Record<string, Link['parameters']>>;

const body = (name: string) => `$response.body#/${name}`;
const path = (name: string) => `$request.path.${name}`;

const JOB = { id: body('job_id') };
const MODEL = { id: body('model_id') };
const VERSION = { ...MODEL, version: body('version') };
const MEMORY = { memory_id: body('memory_id'), namespace: body('namespace') };
const SENSOR = { sensor_id: body('sensor_id') };
const TRAINER = { id: body('trainer_id') };
const RUN = { run_id: body('run_id') };

const ofJob: Targets = {
  getJob: JOB,
  cancelJob: JOB,
  listEvents: JOB,
  getSeries: JOB,
  listCheckpoints: JOB,
};
const ofVersion: Targets = {
  getModel: MODEL,
  getVersion: VERSION,
  changeVersion: VERSION,
  deleteVersion: VERSION,
  uploadFile: VERSION,
  createUpload: MODEL,
  getLineage: VERSION,
  checkCompatibility: VERSION,
};
const ofSensor: Targets = {
  getSensor: SENSOR,
  storeReadings: SENSOR,
  listReadings: SENSOR,
  readingSeries: SENSOR,
  followReadings: SENSOR,
  deleteSensor: SENSOR,
};
const ofDataset: Targets = {
  getDataset: { name: path('name') },
  downloadDataset: { name: path('name') },
  deleteDataset: { name: path('name') },
};
const ofFile: Targets = { downloadFile: { ...VERSION, filename: body('filename') } };
const ofAlias: Targets = {
  getAlias: { id: path('id'), alias: path('alias') },
  getModel: { id: path('id'), alias: path('alias') },
  deleteAlias: { id: path('id'), alias: path('alias') },
};

const LINKS: Readonly<Record<string, Readonly<Record<number, Targets>>>> = {
  gateway_registerService: {
    200: { getService: { name: body('name') }, deleteService: { name: body('name') } },
    201: { getService: { name: body('name') }, deleteService: { name: body('name') } },
  },
  gateway_createKey: { 201: { revokeKey: { id: body('key_id') } } },
  gateway_createRegion: {
    201: {
      getRegion: { region_id: body('region_id') },
      setRegionStatus: { region_id: body('region_id') },
      replicationGroup: { region_id: body('region_id') },
      deleteRegion: { region_id: body('region_id') },
    },
  },
  gateway_createNode: {
    201: {
      heartbeat: { node_id: body('node_id') },
      deleteNode: { node_id: body('node_id') },
      getRegion: { region_id: body('region_id') },
    },
  },
  gateway_storeMemory: { 201: { getMemory: MEMORY, deleteMemory: MEMORY } },
  gateway_registerSensor: { 200: ofSensor, 201: ofSensor },
  gateway_runTests: { 202: { getTestRun: RUN, followTestRun: RUN } },
  'test-host_runTests': { 202: { getTestRun: RUN, followTestRun: RUN } },
  training_train: { 202: ofJob },
  training_announceTrainer: {
    200: { getTrainer: TRAINER, removeTrainer: TRAINER },
    201: { getTrainer: TRAINER, drainTrainer: TRAINER, removeTrainer: TRAINER },
  },
  training_leaseJob: { 200: { getJob: { id: body('job/job_id') } } },
  training_putPart: {
    200: { getPart: { digest: path('digest') } },
    201: { getPart: { digest: path('digest') } },
  },
  training_putDataset: { 200: ofDataset, 201: ofDataset },
  'lm-training_trainLm': { 202: { getJob: JOB, cancelJob: JOB } },
  'training-server_trainLm': { 202: { getJob: JOB, cancelJob: JOB } },
  registry_registerModel: { 200: ofVersion, 201: ofVersion },
  registry_setAlias: { 200: ofAlias, 201: ofAlias },
  registry_uploadFile: { 200: ofFile, 201: ofFile },
  monitoring_createRule: {
    201: {
      getRule: { id: body('id') },
      replaceRule: { id: body('id') },
      deleteRule: { id: body('id') },
    },
  },
  monitoring_createSilence: { 201: { expireSilence: { id: body('id') } } },
  monitoring_createReceiver: {
    201: { testReceiver: { id: body('id') }, deleteReceiver: { id: body('id') } },
  },
  'edge-inference_loadModel': { 202: { loadedModels: {} } },
  inference_loadModel: {
    200: { unloadModel: { id: body('model_id'), version: body('version') } },
    202: { loadedModels: {}, modelReady: MODEL },
  },
};

/** Where an answer of an operation leads to. */
export function linksOf(
  { service, name }: Described,
  status: number,
): Pick<ResponseObject, 'links'> {
  const targets = LINKS[`${service}_${name}`]?.[status];
  if (!targets) return {};
  return {
    links: Object.fromEntries(
      Object.entries(targets).map(([target, parameters]) => [
        target,
        { operationId: `${service}_${target}`, parameters },
      ]),
    ),
  };
}
