import { useCopy } from '../../../app/use-copy.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import type { InferAnswer } from '../../../../edge/inference/contract/infer.ts';
import type { Answer } from '../exchanges/exchanges.ts';
import { usePlaygroundText, type PlaygroundText } from '../playground-text.ts';
import { AnswerRaster } from './AnswerRaster.tsx';
import { AnswerText } from './AnswerText.tsx';
import { ClassesView } from './ClassesView.tsx';
import { durationWords } from './durations.ts';
import { EnergyView } from './EnergyView.tsx';
import { LatencyChart } from './LatencyChart.tsx';
import { RefusedNote } from './RefusedNote.tsx';
import type { Piece } from './text-diff.ts';
import { UsageFacts } from './UsageFacts.tsx';
import { Note } from '../../../ui/Layout.tsx';

interface AnswerPanelProps {
  /** `id@version`, as it was asked for. */
  readonly model: string;
  readonly prompt: string;
  readonly answer: Answer;
  /** The text divided by what the other answer has too; absent where there is none to compare with. */
  readonly pieces: readonly Piece[] | undefined;
  readonly layer: string;
  readonly onLayer: (layer: string) => void;
  readonly onAgain: () => void;
}

/** One answer: its text as it comes, then everything that was measured about it. */
export function AnswerPanel(props: AnswerPanelProps) {
  const { model, prompt, answer, pieces, layer, onLayer, onAgain } = props;
  const text = usePlaygroundText();
  const copy = useCopy();
  const written = 'text' in answer ? answer.text : '';
  return (
    <Panel
      title={model}
      actions={
        <>
          <Note as="output">{stateWords(text, answer)}</Note>
          <IconButton
            icon="copy"
            label={text.t('answer.copy', { model })}
            disabled={written === ''}
            onClick={() => void copy(prompt + written)}
          />
        </>
      }
    >
      {answer.status === 'failed' && (
        <RefusedNote error={answer.error} retryAt={answer.retryAt} onAgain={onAgain} />
      )}
      {hasText(answer) && (
        <AnswerText model={model} prompt={prompt} answer={answer} pieces={pieces} />
      )}
      {answer.status === 'done' && (
        <>
          {answer.response.outputs.classes && (
            <ClassesView model={model} classes={answer.response.outputs.classes} />
          )}
          <LatencyChart model={model} timing={answer.response.timing} totalMs={answer.totalMs} />
          <UsageFacts response={answer.response} firstMs={answer.firstMs} />
          <EnergyView model={model} spikes={answer.response.spikes} />
          {rasterOf(answer.response).map((layers) => (
            <AnswerRaster
              key="raster"
              model={model}
              layers={layers}
              layer={layer}
              onLayer={onLayer}
            />
          ))}
        </>
      )}
    </Panel>
  );
}

/** Whether there is a text to show: a classifier writes none. */
function hasText(answer: Answer): boolean {
  if (answer.status === 'failed') return answer.text !== '';
  return answer.status !== 'done' || 'text' in answer.response.outputs;
}

const rasterOf = (response: InferAnswer) =>
  'raster' in response && response.raster ? [response.raster] : [];

/** How far an answer is, and how fast it comes. */
function stateWords(text: PlaygroundText, answer: Answer): string {
  const { t } = text;
  if (answer.status === 'waiting') return t('state.waiting');
  if (answer.status === 'failed') return t('answer.failed');
  if (answer.status === 'done') {
    const { completion_tokens: count } = answer.response.usage;
    const { outputs } = answer.response;
    if (!('text' in outputs))
      return t('answer.completed', { time: durationWords(text, answer.totalMs) });
    return t('answer.done', { count, time: durationWords(text, answer.totalMs) });
  }
  // A token of these models is a character: what is counted while the whole is not there yet.
  const count = Array.from(answer.text).length;
  if (answer.status === 'stopped') return t('answer.stopped', { count });
  const seconds = (answer.totalMs - (answer.firstMs ?? 0)) / 1000;
  return t('answer.progress', { count, rate: seconds > 0 ? count / seconds : Number.NaN });
}
