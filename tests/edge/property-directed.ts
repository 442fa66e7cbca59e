import type { Sent } from './property-requests.ts';

/** A change to an operation's example after which it is refused with a code. */
export interface Directed {
  readonly id: string;
  readonly code: string;
  readonly change: Partial<Sent>;
}

const NO_DIGEST = '0'.repeat(64);
const FORM = { 'content-type': 'multipart/form-data; boundary=x' };
const WRONG_CHECKSUM = `sha1 ${'A'.repeat(27)}=`;
const TUS = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };
const CREATE = {
  ...TUS,
  'upload-length': '8',
  'upload-metadata': 'filename dG9rZW5pemVyLmpzb24=,version MS4wLjA=',
};
const CHUNK = { ...TUS, 'upload-offset': '4' };
const OVERRIDE = { ...CHUNK, 'x-http-method-override': 'PATCH' };
const jsonOf = (size: number) => `{"a":"${'a'.repeat(size)}"}`;

/** Requests that only somebody who knows an operation thinks of. */
const REQUESTS: readonly Directed[] = [
  {
    id: 'gateway_registerService',
    code: 'reserved_name',
    change: { body: '{"name":"registry","url":"http://127.0.0.1:9"}' },
  },
  { id: 'gateway_deleteService', code: 'reserved_name', change: { path: '/services/registry' } },
  {
    id: 'monitoring_pushMetrics',
    code: 'payload_too_large',
    change: { body: jsonOf(5 * 1024 * 1024) },
  },
  {
    id: 'monitoring_getServiceMetrics',
    code: 'service_not_found',
    change: { path: '/monitoring/metrics/nobody' },
  },
  {
    id: 'registry_uploadFile',
    code: 'validation_failed',
    change: { headers: FORM, body: '--x\r\n\r\n' },
  },
  {
    id: 'registry_uploadFile',
    code: 'digest_mismatch',
    change: { path: `/registry/models/tiny/upload?filename=a&version=1.0.0&digest=${NO_DIGEST}` },
  },
  {
    id: 'registry_uploadFile',
    code: 'model_not_found',
    change: { path: '/registry/models/nobody/upload?filename=a&version=1.0.0' },
  },
  { id: 'registry_uploadFile', code: 'version_immutable', change: { body: 'other' } },
  {
    id: 'registry_downloadFile',
    code: 'range_not_satisfiable',
    change: { headers: { range: 'bytes=9-' } },
  },
  {
    id: 'registry_getVersion',
    code: 'precondition_failed',
    change: { headers: { 'if-match': '"x"' } },
  },
  {
    id: 'registry_checkCompatibility',
    code: 'alias_not_found',
    change: { path: '/registry/models/tiny/compatibility?alias=nobody' },
  },
  {
    id: 'registry_createUpload',
    code: 'checksum_mismatch',
    change: { headers: { ...CREATE, 'upload-checksum': WRONG_CHECKSUM } },
  },
  {
    id: 'registry_continueUpload',
    code: 'checksum_mismatch',
    change: { headers: { ...CHUNK, 'upload-checksum': WRONG_CHECKSUM } },
  },
  {
    id: 'registry_overrideUpload',
    code: 'checksum_mismatch',
    change: { headers: { ...OVERRIDE, 'upload-checksum': WRONG_CHECKSUM } },
  },
  {
    id: 'registry_overrideUpload',
    code: 'offset_mismatch',
    change: { headers: { ...OVERRIDE, 'upload-offset': '3' } },
  },
  {
    id: 'registry_createUpload',
    code: 'unsupported_media_type',
    change: { headers: { ...CREATE, 'content-type': 'text/plain' } },
  },
  {
    id: 'registry_continueUpload',
    code: 'model_not_found',
    change: { path: '/registry/models/no%20name/uploads/upload_1', headers: CHUNK },
  },
  {
    id: 'registry_overrideUpload',
    code: 'payload_too_large',
    change: { headers: OVERRIDE, body: 'more than was announced' },
  },
  {
    id: 'registry_overrideUpload',
    code: 'unsupported_media_type',
    change: { headers: { ...OVERRIDE, 'content-type': 'text/plain' } },
  },
];

/** Data sets are uploaded as files of models are: what is refused of one is refused of the other. */
const OF_DATASETS = REQUESTS.filter(
  ({ id, change }) => /^registry_\w+Upload$/.test(id) && change.path === undefined,
).map(({ id, change, code }): Directed => {
  const { 'upload-metadata': _, ...headers } = { ...change.headers };
  return { id: id.replace('registry', 'training'), code, change: { ...change, headers } };
});

/** All of them. */
export const DIRECTED: readonly Directed[] = [
  ...REQUESTS,
  ...OF_DATASETS,
  {
    id: 'training_train',
    code: 'alias_not_found',
    change: {
      body: '{"category":"LangText","model_name":"tiny@nobody","dataset_path":"a","steps":1}',
    },
  },
  {
    id: 'lm-training_trainLm',
    code: 'alias_not_found',
    change: {
      body: '{"category":"LangText","model_name":"tiny@nobody","dataset_path":"a","steps":1}',
    },
  },
  {
    id: 'lm-training_trainingCapacity',
    code: 'alias_not_found',
    change: {
      body: '{"category":"LangText","model_name":"tiny@nobody","dataset_path":"a","steps":1}',
    },
  },
];
