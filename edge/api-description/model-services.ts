import { Alias } from '../registry/contract/alias.ts';
import { Filename } from '../registry/contract/model-file.ts';
import { inferenceEndpoints } from '../inference/endpoints.ts';
import { edgeInferenceEndpoints } from '../inference/edge-endpoints.ts';
import { ModelId } from '../registry/contract/model.ts';
import { registryEndpoints } from '../registry/endpoints.ts';
import { Version } from '../contract/semver.ts';
import { DatasetName } from '../datasets/contract/dataset.ts';
import { Digest } from '../contract/digest.ts';
import { jobEndpoints, lmTrainingEndpoints } from '../training/job-endpoints.ts';
import { datasetEndpoints, trainerEndpoints } from '../training/trainer-endpoints.ts';
import { datasetUploadEndpoints, uploadEndpoints } from '../uploads/endpoints.ts';
import { partOf, type ServiceDescription } from './description.ts';
import { datasetExamples } from '../datasets/examples.ts';
import { edgeInferenceExamples } from '../inference/edge-examples.ts';
import { inferenceExamples } from '../inference/examples.ts';
import { jobExamples } from '../training/job-examples.ts';
import { lmTrainingExamples } from '../training/lm-training-examples.ts';
import { registryExamples } from '../registry/examples.ts';
import { trainerExamples } from '../training/trainer-examples.ts';
import { datasetUploadExamples, uploadExamples } from '../uploads/examples.ts';
import { AnyId, COMMON_AND_METRICS } from './common-parts.ts';

const MODEL = { description: 'The model.', schema: ModelId };
const JOB = { description: 'The job.', schema: AnyId };

export const training: ServiceDescription = {
  name: 'training',
  summary: 'Jobs, the trainers that lease them, and what they train on.',
  parts: [
    ...COMMON_AND_METRICS,
    partOf({
      endpoints: jobEndpoints,
      examples: jobExamples,
      params: {
        'jobs/:id': JOB,
        'checkpoints/:checkpoint': { description: 'A checkpoint of the job.', schema: AnyId },
        'files/:filename': { description: 'A file of the checkpoint.', schema: Filename },
      },
    }),
    partOf({
      endpoints: trainerEndpoints,
      examples: trainerExamples,
      params: {
        'jobs/:id': JOB,
        'trainers/:id': { description: 'The trainer.', schema: AnyId },
      },
    }),
    partOf({
      endpoints: datasetEndpoints,
      examples: datasetExamples,
      params: {
        'parts/:digest': { description: 'The digest of the part.', schema: Digest },
        'datasets/:name': { description: 'The dataset.', schema: DatasetName },
      },
    }),
    partOf({
      endpoints: datasetUploadEndpoints,
      examples: datasetUploadExamples,
      params: {
        'datasets/:name': { description: 'The dataset.', schema: DatasetName },
        'uploads/:upload': { description: 'The upload, as its Location names it.', schema: AnyId },
      },
    }),
  ],
};

const languageModels = partOf({
  endpoints: lmTrainingEndpoints,
  examples: lmTrainingExamples,
  params: { 'jobs/:id': JOB },
});

export const lmTraining: ServiceDescription = {
  name: 'lm-training',
  summary:
    'The load balancer in front of the training servers of language models, which answer the same at ports of their own.',
  parts: [...COMMON_AND_METRICS, languageModels],
};

export const trainingServer: ServiceDescription = {
  name: 'training-server',
  summary: 'A trainer of language models with a port of its own.',
  parts: [...COMMON_AND_METRICS, languageModels],
};

export const inference: ServiceDescription = {
  name: 'inference',
  summary: 'Models that answer, also by the Open Inference Protocol (v2).',
  parts: [
    ...COMMON_AND_METRICS,
    partOf({
      endpoints: inferenceEndpoints,
      examples: inferenceExamples,
      params: {
        'load_model/:id': MODEL,
        'unload_model/:id': MODEL,
        'models/:id': MODEL,
        'versions/:version': { description: 'The version.', schema: Version },
      },
    }),
  ],
};

export const edgeInference: ServiceDescription = {
  name: 'edge-inference',
  summary: 'Small models that answer at the edge itself, on one thread of WASM.',
  parts: [
    ...COMMON_AND_METRICS,
    partOf({
      endpoints: edgeInferenceEndpoints,
      examples: edgeInferenceExamples,
      params: { 'load_model/:id': { description: 'The model.', schema: ModelId } },
    }),
  ],
};

export const registry: ServiceDescription = {
  name: 'registry',
  summary: 'What was trained: models, their versions and files.',
  parts: [
    ...COMMON_AND_METRICS,
    partOf({
      endpoints: registryEndpoints,
      examples: registryExamples,
      params: {
        'models/:id': { description: 'The model.', schema: ModelId },
        'versions/:version': { description: 'The version.', schema: Version },
        'aliases/:alias': { description: 'The alias.', schema: Alias },
        'download/:filename': { description: 'A file of the version.', schema: Filename },
      },
    }),
    partOf({
      endpoints: uploadEndpoints,
      examples: uploadExamples,
      params: {
        'models/:id': { description: 'The model.', schema: ModelId },
        'uploads/:upload': { description: 'The upload, as its Location names it.', schema: AnyId },
      },
    }),
  ],
};
