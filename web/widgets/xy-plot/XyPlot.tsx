import { useMemo, useState, type PointerEvent, type ReactNode } from 'react';
import {
  type Curve,
  type CurveMark,
  type FixedRange,
  paintCurves,
  placeOf,
  scaledCurves,
  type Scales,
  scalesOf,
} from '../../../engine/pictures.ts';
import type { CurvesBuffer } from '../buffers/curves-buffer.ts';
import type { CanvasSurface } from '../canvas/paint-loop.ts';
import { usePaintLoop } from '../canvas/use-paint-loop.ts';
import { useSampled } from '../canvas/use-sampled.ts';
import { ChartFrame } from '../chart/ChartFrame.tsx';
import { CursorSlider } from '../chart/CursorSlider.tsx';
import { SeriesLegend } from '../time-series/SeriesLegend.tsx';
import { nearestPoint } from './nearest-point.ts';
import { curvesTable, describeCurves, describePoint, type AxisWords } from './xy-words.ts';
import css from './XyPlot.module.css';
import { Stack } from '../../ui/Layout.tsx';
import { useChartText } from '../chart/chart-text.ts';

/** How often words follow the picture. */
const WORDS_EVERY_MS = 500;
/** Rows of the table in sight; the file has all. */
const TABLE_ROWS = 200;

interface XyAxis extends AxisWords {
  /** Its ends, where they do not follow the data. Kept by the caller: another one starts another loop. */
  readonly range?: FixedRange | undefined;
}

interface XyPlotProps {
  readonly title: string;
  readonly level?: 2 | 3;
  /** Its curves are drawn on the frame after they were replaced. */
  readonly buffer: CurvesBuffer;
  /** A name for each curve. */
  readonly names: readonly string[];
  /** How each curve is drawn; `line` where it is not said. Declared outside of the component. */
  readonly marks?: readonly CurveMark[];
  /** The place of each curve among the colours, where it is not its own. Kept by the caller. */
  readonly series?: readonly number[] | undefined;
  readonly x: XyAxis;
  readonly y: XyAxis;
  /** Levels of y dashed across the plot. */
  readonly levels?: readonly number[];
  /** Which curve the cursor reads, and whether from left to right or wherever it goes in the plane. */
  readonly read?: { readonly curve: number; readonly along: 'x' | 'plane' };
  /** The plot in words, where the curves' ends say little. */
  readonly sentences?: readonly string[];
  readonly controls?: ReactNode;
}

const LINES: readonly CurveMark[] = [];
const NO_CURVE: Curve = { x: [], y: [] };
const NO_LEVELS: readonly number[] = [];
const FIRST = { curve: 0, along: 'x' } as const;

/** Curves in a plane: any quantity over any other, read point by point. */
export function XyPlot(props: XyPlotProps) {
  const { title, level, buffer, names, series, x, y, sentences, controls, marks = LINES } = props;
  const text = useChartText();
  useSampled(buffer, WORDS_EVERY_MS);
  const { curves } = buffer;
  const words = { names, x, y };
  // Strokes explain themselves, and have the colour of spikes.
  const drawn = names.filter((_, index) => marks[index] !== 'strokes');
  return (
    <ChartFrame
      title={title}
      {...(level ? { level } : {})}
      sentences={sentences ?? describeCurves(text, curves, words)}
      legend={drawn.length > 1 && <SeriesLegend names={drawn} series={series} />}
      controls={controls}
      table={() => curvesTable(curves, words, TABLE_ROWS)}
      file={() => curvesTable(curves, words)}
    >
      <Stack gap={0}>
        <span className={css['axis']} aria-hidden="true">
          {y.label}
        </span>
        <Plane {...props} />
        <span className={css['axis']} aria-hidden="true">
          {x.label}
        </span>
      </Stack>
    </ChartFrame>
  );
}

/** The drawing with its cursor. */
function Plane(props: XyPlotProps) {
  const { title, buffer, names, x, y } = props;
  const { marks = LINES, series, levels = NO_LEVELS, read = FIRST } = props;
  const text = useChartText();
  const canvas = useCurves(buffer, { marks, series, levels, x: x.range, y: y.range });
  const [point, setPoint] = useState<number | null>(null);
  const { curves } = buffer;
  const curve = curves[read.curve] ?? NO_CURVE;
  const shown = point === null || point >= curve.x.length ? null : point;
  const scales = scalesOf(scaledCurves(curves, marks), { x: x.range, y: y.range });
  const at = { curve: read.curve, point: shown ?? 0 };

  function follow(event: PointerEvent<HTMLElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    const place = {
      x: (event.clientX - box.left) / box.width,
      y: (box.bottom - event.clientY) / box.height,
    };
    setPoint(nearestPoint(curve, scales, place, read.along));
  }

  return (
    <div className={css['box']}>
      <canvas ref={canvas} className={css['canvas']} />
      <div className={css['area']}>
        <CursorSlider
          chart={title}
          axis="horizontal"
          count={curve.x.length}
          position={shown}
          reading={shown === null ? '' : describePoint(text, curves, { names, x, y }, at)}
          onMove={setPoint}
        >
          <div
            className={css['touch']}
            onPointerMove={follow}
            onPointerLeave={() => setPoint(null)}
          />
          {shown !== null && <span className={css['mark']} style={markAt(curve, shown, scales)} />}
        </CursorSlider>
      </div>
    </div>
  );
}

function markAt({ x, y }: Curve, point: number, scales: Scales) {
  return {
    left: `${placeOf(scales.x, x[point] ?? Number.NaN) * 100}%`,
    bottom: `${placeOf(scales.y, y[point] ?? Number.NaN) * 100}%`,
  };
}

interface Look {
  readonly marks: readonly CurveMark[];
  readonly series: readonly number[] | undefined;
  readonly levels: readonly number[];
  readonly x: FixedRange | undefined;
  readonly y: FixedRange | undefined;
}

function useCurves(buffer: CurvesBuffer, { marks, series, levels, x, y }: Look) {
  const { format } = useChartText();
  const painter = useMemo(() => {
    const look = { marks, series, levels, x, y, write: format.number };
    return (surface: CanvasSurface) => paintCurves(surface, buffer.curves, look);
  }, [buffer, marks, series, levels, x, y, format]);
  return usePaintLoop(buffer, painter);
}
