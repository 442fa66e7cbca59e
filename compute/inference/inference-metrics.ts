import type { InferAnswer } from '../../edge/inference/contract/infer.ts';
import type { MetricInput } from '../../edge/monitoring/contract/metrics.ts';
import type { ModelCache } from './model-cache.ts';

/** Metrics of the service besides those of its requests. */
export interface InferenceMetrics {
  begun(): void;
  answered(answer: InferAnswer): void;
  failed(): void;
  /** Totals since the start and levels as they are now. */
  read(cache: ModelCache): readonly MetricInput[];
}

/** Upper bounds of the sizes of batches. */
const SIZES = [1, 2, 4, 8, 16, 32, 64] as const;

export function createInferenceMetrics(): InferenceMetrics {
  const totals = { texts: 0, failed: 0, prompt: 0, completion: 0, queueMs: 0, computeMs: 0 };
  const sizes = SIZES.map(() => 0);
  let batches = 0;
  let batchSum = 0;
  return {
    begun() {
      totals.texts += 1;
    },
    answered({ usage, timing, batch }) {
      totals.prompt += usage.prompt_tokens;
      totals.completion += usage.completion_tokens;
      totals.queueMs += timing.queue_ms;
      totals.computeMs += timing.compute_ms;
      batches += 1;
      batchSum += batch.size;
      for (const [i, size] of SIZES.entries()) {
        if (batch.size <= size) sizes[i] = (sizes[i] ?? 0) + 1;
      }
    },
    failed() {
      totals.failed += 1;
    },
    read: (cache) => [
      counter('inference_texts_total', 'Answers that were asked for.', totals.texts),
      counter('inference_failed_total', 'Answers that failed after they had begun.', totals.failed),
      counter('inference_prompt_tokens_total', 'Tokens of prompts that were read.', totals.prompt),
      counter('inference_tokens_total', 'Tokens that were written.', totals.completion),
      counter(
        'inference_queue_seconds_total',
        'Time that requests waited for a place.',
        totals.queueMs / 1000,
        'seconds',
      ),
      counter(
        'inference_compute_seconds_total',
        'Time from the first token that was read to the last.',
        totals.computeMs / 1000,
        'seconds',
      ),
      {
        name: 'inference_batch_size',
        help: 'Sequences that were read together with a text, at most.',
        type: 'histogram',
        buckets: SIZES.map((le, i) => ({ le, count: sizes[i] ?? 0 })),
        count: batches,
        sum: batchSum,
      },
      ...levels(cache),
    ],
  };
}

function levels(cache: ModelCache): readonly MetricInput[] {
  const { capacity, used } = cache.list(undefined).cache;
  const { schedulers } = cache;
  const sum = (of: (one: (typeof schedulers)[number]) => number) =>
    schedulers.reduce((total, one) => total + of(one), 0);
  return [
    gauge(
      'queue_depth',
      'Requests that wait for a place.',
      sum(({ waiting }) => waiting),
    ),
    gauge(
      'inference_running',
      'Requests that are being answered.',
      sum(({ running }) => running),
    ),
    gauge('inference_cache_models', 'Models that are loaded.', used),
    gauge('inference_cache_capacity', 'Models that may be loaded at once.', capacity),
  ];
}

function counter(name: string, help: string, value: number, unit?: string): MetricInput {
  return { name, help, type: 'counter', value, ...(unit !== undefined && { unit }) };
}

const gauge = (name: string, help: string, value: number): MetricInput => ({
  name,
  help,
  type: 'gauge',
  value,
});
