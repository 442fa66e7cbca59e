/** Documented answers that no test brings about, by their code or as a whole, and why. */
export const UNREACHED: Readonly<Record<string, string>> = {
  internal: 'a fault of ours, which no request may bring about',
  insufficient_storage: 'takes a disk that is full; disk-full.test.ts has it of some',
  body_too_slow: 'takes a body that stalls; stalled-upload.test.ts has it of some',
  'registry_showUpload 500': 'the same of HEAD, which has no body that would hold the code',
  'training_showUpload 500': 'the same of data sets',
  'registry_showUpload 507': 'as 500',
  'training_showUpload 507': 'as 500',
  'gateway_health 503': 'takes a gateway that cannot call its own Worker',
  'gateway_healthV1 503': 'takes a gateway that cannot call its own Worker',
  'gateway_registerSensor 409 limit_reached': 'takes 1,000 sensors',
  overloaded: 'takes 200,000 points that wait for a store that takes none',
  'gateway_connectService 409 limit_reached': 'takes 64 connections',
  'gateway_registerService 507 storage_full': 'takes 500 services; see gateway-machine.test.ts',
  'monitoring_createRule 409 limit_reached': 'takes 200 rules; receivers have such a bound, too',
  'monitoring_createSilence 409 limit_reached': 'takes 1,000 silences, as above',
  'gateway_createNode 409 limit_reached': 'takes 10,000 nodes; regions have such a bound, too',
  'gateway_getActiveRegion 404 region_not_found': 'takes a platform that is set up without regions',
  'gateway_runTests 409 stale_epoch':
    'takes a failover in the middle of a run; geo-failover.test.ts has it of others',
  'gateway_getTestStatus 409 stale_epoch': 'the same of another operation',
  'gateway_listTestRuns 409 stale_epoch': 'the same of another operation',
  'gateway_getTestRun 409 stale_epoch': 'the same of another operation',
  'gateway_followTestRun 409 stale_epoch': 'the same of another operation',
  'training_putPart 408 upload_expired':
    'takes a part that stands still for an hour; upload-cut-off.test.ts has it of files',
};
