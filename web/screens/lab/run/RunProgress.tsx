import { wasmThreads } from '../../../api/device.ts';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { useLabText } from '../lab-text.ts';
import { useLab } from '../lab-store.ts';
import { Stack } from '../../../ui/Layout.tsx';
import css from './ControlBar.module.css';
import { progressWords } from './run-words.ts';

/** How much of the budget is spent. */
export function RunProgress() {
  const text = useLabText();
  const progress = useLab((state) => state.progress);
  const total = useLab(({ run }) => ('run' in run ? run.run.totalSteps : null));
  const words = progress ? progressWords(text, progress, total) : [text.t('run.notYet')];
  return (
    <Stack gap={1} style={{ gridColumn: '1 / -1' }}>
      <ProgressBar
        label={text.t('run.progress')}
        fraction={progress?.fraction ?? 0}
        valueText={words[0] ?? ''}
      />
      <p className={css['words']}>
        {words.map((word) => (
          <span key={word}>{word}</span>
        ))}
        <DeviceWords />
      </p>
    </Stack>
  );
}

function DeviceWords() {
  const { t } = useLabText();
  const device = useLab(({ run }) => ('run' in run ? run.run.device : null));
  if (device === null) return null;
  return (
    <span className={css['device']}>
      <span className="visually-hidden">{t('run.device')}</span>
      {device.backend === 'wasm' ? <WasmWords /> : <span lang="en">{device.label}</span>}
    </span>
  );
}

/** On how many threads WASM computes, and why on one where that is for lack of isolation. */
function WasmWords() {
  const { t } = useLabText();
  return (
    <span>
      {crossOriginIsolated ? t('run.wasm', { count: wasmThreads() }) : t('run.wasmAlone')}
    </span>
  );
}
