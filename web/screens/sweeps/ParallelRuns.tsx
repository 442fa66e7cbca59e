import { type CSSProperties, type PointerEvent, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { METRICS } from '../../../edge/training/contract/sweep.ts';
import { nearestLine, paintParallel, parallelPlot } from '../../../engine/pictures.ts';
import { Note } from '../../ui/Layout.tsx';
import type { Source } from '../../widgets/buffers/signal.ts';
import type { CanvasSurface } from '../../widgets/canvas/paint-loop.ts';
import { usePaintLoop } from '../../widgets/canvas/use-paint-loop.ts';
import { ChartFrame } from '../../widgets/chart/ChartFrame.tsx';
import { CursorSlider } from '../../widgets/chart/CursorSlider.tsx';
import css from './ParallelRuns.module.css';
import { axesOf, type Sweep } from './sweep-runs.ts';
import { type SweepsText, useSweepsText } from './words/en-sweeps.ts';

/** The picture changes with the painter alone. */
const STILL: Source = { version: 0, subscribe: () => () => undefined };
/** Room of an axis. */
const AXIS_REM = 6;

/** Runs as lines over an axis for each searched field, read with the pointer or the arrow keys. */
export function ParallelRuns({ sweep }: { readonly sweep: Sweep }) {
  const text = useSweepsText();
  const [shown, setShown] = useState<number | null>(null);
  const [, navigate] = useLocation();
  const { runs, metric } = sweep;
  const axes = useMemo(() => axesOf(sweep), [sweep]);
  const plot = useMemo(() => parallelPlot(axes), [axes]);
  const hasBest = (runs[0]?.value ?? null) !== null;
  const painter = useMemo(() => {
    const look = {
      goal: METRICS[metric],
      best: hasBest ? 0 : undefined,
      highlighted: shown ?? undefined,
    };
    return (surface: CanvasSurface) => paintParallel(surface, plot, look);
  }, [plot, metric, hasBest, shown]);
  const canvas = usePaintLoop(STILL, painter);

  function follow({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const line = nearestLine(plot, { width, height }, { x: clientX - left, y: clientY - top });
    setShown(line ?? null);
  }
  const open = (line: number) => {
    const id = runs[line]?.job.job_id;
    if (id !== undefined) navigate(`/jobs/${encodeURIComponent(id)}`);
  };

  const title = text.t('parallel.title');
  const width = { '--least-width': `${axes.length * AXIS_REM}rem` } as CSSProperties;
  return (
    <ChartFrame
      title={title}
      level={3}
      sentences={hasBest ? [text.t('parallel.best', { run: readingOf(text, sweep, 0) })] : []}
      table={() => ({
        columns: [text.t('runs.run'), ...axes.map(({ name }) => name)],
        rows: runs.map(({ run }, line) => [
          String(run),
          ...axes.map(({ values }) => String(values[line] ?? '')),
        ]),
      })}
    >
      <div className={css['scroll']} style={width}>
        <CursorSlider
          chart={title}
          axis="horizontal"
          count={runs.length}
          position={shown}
          reading={shown === null ? '' : readingOf(text, sweep, shown)}
          onMove={setShown}
          onChoose={open}
        >
          <div className={css['box']} onPointerMove={follow} onPointerLeave={() => setShown(null)}>
            <canvas ref={canvas} className={css['canvas']} />
          </div>
        </CursorSlider>
      </div>
      <Note>{text.t('parallel.keys')}</Note>
    </ChartFrame>
  );
}

/** A run in words: its number, its values and its metric. */
function readingOf({ t, format }: SweepsText, { runs, search, metric }: Sweep, line: number) {
  const run = runs[line];
  if (!run) return '';
  const word = (value: unknown) =>
    typeof value === 'number' ? format.number(value) : String(value ?? '–');
  const fields = search.map((name, field) => `${name} ${word(run.values[field])}`);
  const values = [...fields, `${metric} ${word(run.value)}`];
  return t('parallel.run', { run: run.run, values: values.join(', ') });
}
