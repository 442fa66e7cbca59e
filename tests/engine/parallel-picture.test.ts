import { describe, expect, it } from 'vitest';
import {
  drawParallel,
  nearestLine,
  type ParallelAxis,
  parallelPlot,
  svgPicture,
} from '../../engine/pictures.ts';

const axes: readonly ParallelAxis[] = [
  { name: 'rate', values: [0.001, 0.01, 0.1, 0.0032] },
  { name: 'profile', values: ['plain', 'auto', 'auto', null] },
  { name: 'loss', values: [3, 2, 1, null] },
];
const drawn = (of: readonly ParallelAxis[], options = {}) =>
  svgPicture((canvas) => drawParallel(canvas, of, options), { width: 400, height: 246 });

describe('parallel coordinates', () => {
  it('place numbers on their scale, logarithmic where they differ tenfold, and names in order', () => {
    const places = parallelPlot(axes).axes.map((axis) => axis.places);

    expect(places[0]?.slice(0, 3)).toEqual([0, expect.closeTo(0.5, 9), 1]);
    expect(places[1]).toEqual([1, 0, 0, Number.NaN]);
    expect(places[2]).toEqual([1, 0.5, 0, Number.NaN]);
    expect(parallelPlot([{ name: 'one', values: [7] }]).axes[0]?.places).toEqual([0.5]);
  });

  it('draw a line for each set of values, the best on top, and one without a result dashed', () => {
    const svg = drawn(axes, { best: 2 });
    const strokes = [...svg.matchAll(/<path[^>]*>/g)].map(([path]) => path);

    for (const text of ['rate', 'profile', 'loss', 'plain', 'auto', '0.001']) {
      expect(svg).toContain(`>${text}<`);
    }
    expect(strokes.at(-1)).toContain('stroke-width="2.75"');
    expect(strokes.filter((path) => path.includes('stroke-dasharray'))).toHaveLength(1);
    const strengths = (options: object) =>
      [...drawn(axes, options).matchAll(/opacity="([\d.]+)"/g)].map(([, value]) => Number(value));
    expect(strengths({ goal: 'lowest' }).slice(0, 2)).toEqual([0.15, 0.45]);
    expect(strengths({ goal: 'highest' }).slice(0, 2)).toEqual([0.75, 0.45]);
  });

  it('leave out numbers that would touch', () => {
    const near = { name: 'near', values: [1, 1.001, 1.5] };

    const svg = drawn([near, near]);

    expect(svg.match(/>1<|>1.5</g)).toHaveLength(4);
    expect(parallelPlot([near]).axes[0]?.ticks).toHaveLength(3);
  });

  it('find the line under a point, and none away from all', () => {
    const plot = parallelPlot(axes);
    const size = { width: 400, height: 246 };
    // The frame is 200 px high, from 30 px down; the last axis is 60 px from the right.
    expect(nearestLine(plot, size, { x: 340, y: 230 })).toBe(2);
    expect(nearestLine(plot, size, { x: 340, y: 32 })).toBe(0);
    expect(nearestLine(plot, size, { x: 262, y: 180 })).toBe(1);
    expect(nearestLine(plot, size, { x: 340, y: 80 })).toBeUndefined();
  });

  it.each([
    [axes.slice(0, 1), 'drawParallel: 1 axes: expected at least 2'],
    [
      [axes[0]!, { name: 'short', values: [1] }],
      'drawParallel: axis "short" has 1 values: expected 4, as the first one has',
    ],
  ])('refuse what they cannot draw', (of, message) => {
    expect(() => drawn(of)).toThrow(message);
  });
});
