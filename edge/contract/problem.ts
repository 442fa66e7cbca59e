import * as z from 'zod/mini';

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly retryable?: true;
}

/** Every refusal the platform knows, by its code. The dashboard translates a problem by this code. */
export const PROBLEMS = {
  invalid_json: { status: 400, title: 'The body is not JSON' },
  body_cut_off: { status: 400, title: 'The body is not complete', retryable: true },
  invalid_parameter: { status: 400, title: 'A parameter is not valid' },
  unsafe_path: { status: 400, title: 'The path is not safe' },
  unauthenticated: { status: 401, title: 'Credentials are missing or not valid' },
  forbidden: { status: 403, title: 'These credentials do not allow this' },
  origin_not_allowed: { status: 403, title: 'Requests from this origin are not allowed' },
  test_endpoint_disabled: { status: 403, title: 'Running tests is switched off' },
  job_not_found: { status: 404, title: 'There is no such job' },
  model_not_found: { status: 404, title: 'There is no such model' },
  file_not_found: { status: 404, title: 'There is no such file' },
  alias_not_found: { status: 404, title: 'There is no such alias' },
  upload_not_found: { status: 404, title: 'There is no such upload' },
  region_not_found: { status: 404, title: 'There is no such region' },
  node_not_found: { status: 404, title: 'There is no such node' },
  service_not_found: { status: 404, title: 'There is no such service' },
  rule_not_found: { status: 404, title: 'There is no such alert rule' },
  silence_not_found: { status: 404, title: 'There is no such silence' },
  receiver_not_found: { status: 404, title: 'There is no such receiver' },
  key_not_found: { status: 404, title: 'There is no such key' },
  dataset_not_found: { status: 404, title: 'There is no such dataset' },
  checkpoint_not_found: { status: 404, title: 'There is no such checkpoint' },
  trainer_not_found: { status: 404, title: 'There is no such trainer' },
  part_not_found: { status: 404, title: 'There is no such part' },
  plugin_not_found: { status: 404, title: 'There is no such plugin' },
  trace_not_found: { status: 404, title: 'There is no such trace' },
  run_not_found: { status: 404, title: 'There is no such run of tests' },
  namespace_not_found: { status: 404, title: 'There is no such namespace' },
  memory_not_found: { status: 404, title: 'There is no such memory' },
  sensor_not_found: { status: 404, title: 'There is no such sensor' },
  route_not_found: { status: 404, title: 'Nothing is served here' },
  method_not_allowed: { status: 405, title: 'This method is not allowed here' },
  not_acceptable: { status: 406, title: 'No accepted form of the answer exists' },
  body_too_slow: { status: 408, title: 'The body came too slowly', retryable: true },
  upload_expired: { status: 408, title: 'The upload took too long', retryable: true },
  already_exists: { status: 409, title: 'It exists already' },
  job_terminal: { status: 409, title: 'The job has ended' },
  version_immutable: { status: 409, title: 'A version does not change' },
  version_in_use: { status: 409, title: 'The version is in use' },
  offset_mismatch: { status: 409, title: 'The upload goes on at another byte', retryable: true },
  base_model_mismatch: { status: 409, title: 'The base model does not match' },
  region_not_empty: { status: 409, title: 'The region has nodes' },
  region_active: { status: 409, title: 'The region is active' },
  target_not_online: { status: 409, title: 'The target is not online' },
  stale_epoch: { status: 409, title: 'The epoch has passed' },
  reserved_name: { status: 409, title: 'The name is reserved' },
  model_cache_full: { status: 409, title: 'The model cache is full' },
  test_run_in_progress: { status: 409, title: 'Tests are running', retryable: true },
  receiver_in_use: { status: 409, title: 'Rules name the receiver' },
  dataset_in_use: { status: 409, title: 'Jobs under way name the dataset' },
  stale_lease: { status: 409, title: 'The lease has passed to another trainer' },
  stale_round: { status: 409, title: 'The round is over' },
  plugin_state: { status: 409, title: 'The plugin is not in the status for this' },
  quota_exceeded: { status: 403, title: 'The quota is used up' },
  limit_reached: { status: 409, title: 'There are as many as there may be' },
  idempotency_in_flight: {
    status: 409,
    title: 'The same request is being carried out',
    retryable: true,
  },
  precondition_failed: { status: 412, title: 'A precondition does not hold' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'This content type is not taken here' },
  range_not_satisfiable: { status: 416, title: 'The range lies outside the file' },
  validation_failed: { status: 422, title: 'The body does not have the expected form' },
  invalid_structure: { status: 422, title: 'The structure is not valid' },
  insufficient_vram: { status: 422, title: 'The GPU has too little free memory' },
  digest_mismatch: { status: 422, title: 'The bytes do not have the expected digest' },
  idempotency_mismatch: { status: 422, title: 'The key was used with another body' },
  upgrade_required: { status: 426, title: 'A WebSocket is expected here' },
  rate_limited: { status: 429, title: 'Too many requests', retryable: true },
  checksum_mismatch: {
    status: 460,
    title: 'The bytes do not have the expected checksum',
    retryable: true,
  },
  internal: { status: 500, title: 'Something went wrong on our side', retryable: true },
  plugin_failed: { status: 502, title: 'The plugin failed' },
  upstream_error: { status: 502, title: 'The service did not answer', retryable: true },
  no_healthy_instance: { status: 503, title: 'No instance is healthy', retryable: true },
  overloaded: { status: 503, title: 'Too much is being asked now', retryable: true },
  draining: { status: 503, title: 'The service is shutting down', retryable: true },
  upstream_timeout: { status: 504, title: 'The service took too long', retryable: true },
  insufficient_storage: { status: 507, title: 'The disk is full', retryable: true },
  storage_full: { status: 507, title: 'The storage is full' },
  loop_detected: { status: 508, title: 'The request runs in a circle' },
} as const satisfies Record<string, ProblemKind>;
export type ProblemCode = keyof typeof PROBLEMS;

/** One thing wrong with a request: a place in its body (`pointer`, RFC 6901) or a `parameter`. */
export const ProblemItem = z.object({
  pointer: z.optional(z.string()),
  parameter: z.optional(z.string()),
  code: z.string(),
  detail: z.string(),
});
export type ProblemItem = z.infer<typeof ProblemItem>;

/**
 * A problem document (RFC 9457). `code` is open, so that an older client understands a newer
 * server; the members a code adds (`capacity`, `mismatches`) stay on the object.
 */
export const ProblemDocument = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  code: z.string(),
  errors: z.optional(z.array(ProblemItem)),
  trace_id: z.string(),
  retryable: z.boolean(),
});
export type ProblemDocument = z.infer<typeof ProblemDocument>;
