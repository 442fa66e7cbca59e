import type { InferAnswer } from '../../../../edge/inference/contract/infer.ts';
import { usePlaygroundText } from '../playground-text.ts';
import { durationWords } from './durations.ts';
import { Figures } from './Figures.tsx';

interface UsageFactsProps {
  readonly response: InferAnswer;
  readonly firstMs: number | null;
}

const DIGEST_SHOWN = 19;

/** Token counts, throughput and version of a response. */
export function UsageFacts({ response, firstMs }: UsageFactsProps) {
  const text = usePlaygroundText();
  const { t, format } = text;
  const { usage, timing, batch, finish_reason: reason } = response;
  const written = 'text' in response.outputs;
  const seconds = timing.compute_ms / 1000;
  const others = batch.size - 1;
  return (
    <Figures
      facts={[
        ...(written
          ? [
              { label: t('usage.prompt'), value: format.integer(usage.prompt_tokens) },
              { label: t('usage.written'), value: format.integer(usage.completion_tokens) },
              {
                label: t('usage.rate'),
                value: format.number(seconds > 0 ? usage.total_tokens / seconds : Number.NaN),
              },
              {
                label: t('usage.first'),
                value: firstMs === null ? t('ui.none') : durationWords(text, firstMs),
              },
            ]
          : []),
        {
          label: t('usage.batch'),
          value: others > 0 ? t('usage.batchOthers', { count: others }) : t('usage.batchAlone'),
        },
        { label: t('usage.finish'), value: t(`finish.${reason}`) },
        ...('seed' in response
          ? [{ label: t('usage.seed'), value: <code>{response.seed}</code> }]
          : []),
        { label: t('usage.version'), value: <code>{response.model_version}</code> },
        {
          label: t('usage.digest'),
          value: <code title={response.model_digest}>{shortened(response.model_digest)}</code>,
        },
      ]}
    />
  );
}

const shortened = (digest: string) =>
  digest.length > DIGEST_SHOWN ? `${digest.slice(0, DIGEST_SHOWN)}…` : digest;
