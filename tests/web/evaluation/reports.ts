import type {
  ClassificationSection,
  EvaluationReport,
  LanguageSection,
} from '../../../engine/index.ts';

const calibration = {
  count: 10,
  expected_error: 0.1,
  maximum_error: 0.2,
  brier_score: 0.15,
  bins: [
    { count: 4, confidence: 0.25, accuracy: 0.5 },
    { count: 0, confidence: null, accuracy: null },
    { count: 6, confidence: 0.9, accuracy: 0.8 },
  ],
};

export const language: LanguageSection = {
  form: 'stream',
  rows: 1,
  window: null,
  tokens: 400,
  characters: 400,
  bytes: 440,
  nats_per_token: 1.5,
  perplexity: Math.exp(1.5),
  nats_per_character: 1.5,
  bits_per_character: 1.5 / Math.LN2,
  nats_per_byte: 1.36,
  bits_per_byte: 1.97,
  interval: { value: 1.5, low: 1.4, high: 1.6 },
  pieces: 4,
  accuracy: 0.6,
  calibration,
  positions: [
    { first: 1, last: 200, tokens: 200, nats_per_token: 1.75 },
    { first: 201, last: 400, tokens: 200, nats_per_token: 1.25 },
  ],
};

export const classification: ClassificationSection = {
  count: 10,
  accuracy: 0.7,
  interval: { value: 0.7, low: 0.4, high: 0.9 },
  balanced_accuracy: 0.71,
  macro_f1: 0.69,
  labels: ['cat', 'dog', 'fox'],
  matrix: [
    [3, 1, 0],
    [0, 2, 0],
    [2, 0, 2],
  ],
  classes: [
    { support: 4, precision: 0.6, recall: 0.75, f1: 0.67 },
    { support: 2, precision: 0.67, recall: 1, f1: 0.8 },
    { support: 4, precision: 1, recall: 0.5, f1: 0.67 },
  ],
  calibration,
};

/** A report of text, made `minute` minutes after noon. */
export function reportOf(
  minute: number,
  changes: Partial<EvaluationReport> = {},
): EvaluationReport {
  return {
    evaluation_report_version: 1,
    created_at: new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString(),
    status: 'complete',
    unit: 'token',
    done: 400,
    total: 400,
    device: 'WASM SIMD on the processor (1 thread)',
    model: {
      name: `runs/model-${minute}`,
      architecture: 'dense_chronospike',
      parameters: 1234,
      artifact_sha256: 'ab'.repeat(32),
      spec: { architecture: 'dense_chronospike' },
    },
    data: {
      name: 'cats.txt',
      sha256: 'cd'.repeat(32),
      split: 'validation',
      first: 3600,
      end: 4000,
      length: 4000,
    },
    language,
    speed: { seconds: 2, units_per_second: 200 },
    memory: { parameters: 5000, arena: 1000, lasting: 500, process_peak: null },
    ...changes,
  };
}

/** The report of a classifier, which has metrics in place of text. */
export function classifierReportOf(minute: number): EvaluationReport {
  const { language: _text, ...rest } = reportOf(minute, { unit: 'image', classification });
  return rest;
}
