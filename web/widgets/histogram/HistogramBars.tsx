import { classNames } from '../../ui/class-names.ts';
import type { Bar } from './histogram-words.ts';
import css from './Histogram.module.css';

interface HistogramBarsProps {
  readonly bars: readonly Bar[];
  /** The count that fills the whole height. */
  readonly most: number;
  /** A name for this drawing's patterns, unlike any other's on the page. */
  readonly patterns: string;
}

/** Part of a bar's room that it fills. */
const FILLED = 0.82;

/** The bars alone, in per cent of the drawing: they follow its size by themselves. */
export function HistogramBars({ bars, most, patterns }: HistogramBarsProps) {
  const room = 100 / bars.length;
  return (
    <svg aria-hidden="true">
      <defs>
        <Hatch id={`${patterns}-dead`} angle={45} kind="dead" />
        <Hatch id={`${patterns}-saturated`} angle={-45} kind="saturated" />
      </defs>
      {bars.map(({ kind, count, range }, index) => {
        const height = (count / most) * 100;
        const x = `${(index + (1 - FILLED) / 2) * room}%`;
        return (
          <rect
            key={range}
            className={classNames(css['bar'], css[kind])}
            x={x}
            width={`${room * FILLED}%`}
            y={`${100 - height}%`}
            height={`${height}%`}
            {...(kind === 'live' ? {} : { fill: `url(#${patterns}-${kind})` })}
          />
        );
      })}
    </svg>
  );
}

interface HatchProps {
  readonly id: string;
  readonly angle: number;
  readonly kind: 'dead' | 'saturated';
}

/** Slanted lines: the ends are told apart without their colour. */
function Hatch({ id, angle, kind }: HatchProps) {
  return (
    <pattern
      id={id}
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform={`rotate(${angle})`}
    >
      <rect className={css['hatchGround']} width="6" height="6" />
      <line className={classNames(css['hatchLine'], css[kind])} x1="0" y1="0" x2="0" y2="6" />
    </pattern>
  );
}
