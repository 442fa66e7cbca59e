import { describe, expect, it } from 'vitest';
import {
  drawCurves,
  drawMembranes,
  drawRaster,
  drawRates,
  drawWeights,
  svgPicture,
} from '../../engine/pictures.ts';
import { THEMES } from '../../engine/pictures/surface.ts';
import { observed } from './observed-network.ts';

/** Rectangles of one colour in a picture, `[x, y, width, height]`. */
function rectsOf(svg: string, colour: string): number[][] {
  const paths = svg.matchAll(/<path d="([^"]*)" fill="([^"]*)"/g);
  return [...paths]
    .filter(([, , fill]) => fill === colour)
    .flatMap(([, path = '']) =>
      Array.from(path.matchAll(/M([\d.-]+) ([\d.-]+)h([\d.-]+)v([\d.-]+)h/g), ([, ...numbers]) =>
        numbers.slice(0, 4).map(Number),
      ),
    );
}

/** Lines of one colour, each a list of stretches without a gap, of `[x, y]`. */
function linesOf(svg: string, colour: string): number[][][][] {
  const paths = svg.matchAll(/<path d="([^"]*)" fill="none" stroke="([^"]*)"/g);
  return [...paths]
    .filter(([, , stroke]) => stroke === colour)
    .map(([, path = '']) =>
      path
        .split('M')
        .slice(1)
        .map((stretch) => stretch.split('L').map((point) => point.split(' ').map(Number))),
    );
}

const { spike, series } = THEMES.light;

describe('a raster', () => {
  it.each([1, 2, 63, 64, 65])('of %d neurons has each spike in its row and column', (neurons) => {
    const steps = 20;
    for (const one of [0, neurons >> 1, neurons - 1]) {
      const fires = ({ step, neuron }: { step: number; neuron: number }) =>
        neuron === one && step === 7;
      const seen = observed({ steps, layers: { hidden: neurons }, fires });
      const rects = rectsOf(
        svgPicture((canvas) => drawRaster(canvas, seen)),
        spike,
      );
      expect(rects).toHaveLength(1);
      const [x = 0, y = 0, width = 0, height = 0] = rects[0]!;
      // The frame of 640 x 400 px: 52 px on the left, 10 on the right, 24 above, 20 below.
      expect(x + width / 2).toBeCloseTo(52 + (578 * 7.5) / steps, -1);
      expect(y + height / 2).toBeCloseTo(24 + 356 * (1 - (one + 0.5) / neurons), -1);
    }
  });

  it('loses no spike where steps and neurons share pixels', () => {
    const fires = ({ step, neuron }: { step: number; neuron: number }) =>
      step === 834 && neuron === 377;
    const seen = observed({ steps: 1000, layers: { hidden: 800 }, fires });
    const rects = rectsOf(
      svgPicture((canvas) => drawRaster(canvas, seen)),
      spike,
    );
    expect(rects).toEqual([[expect.any(Number), expect.any(Number), 1, 1]]);
  });

  it('shows one example, and the neurons that are asked for', () => {
    const fires = (at: { step: number; example: number; neuron: number }) =>
      at.example === 1 && at.neuron === 3 && at.step < 5;
    const seen = observed({ steps: 10, count: 2, layers: { hidden: 8, output: 8 }, fires });
    const rects = (options: object) =>
      rectsOf(
        svgPicture((canvas) => drawRaster(canvas, seen, options)),
        spike,
      ).length;
    expect(rects({})).toBe(0);
    expect(rects({ example: 1 })).toBe(10);
    expect(rects({ example: 1, layer: 'output' })).toBe(5);
    expect(rects({ example: 1, layer: 'output', neurons: [0, 1, 2] })).toBe(0);
  });
});

describe('membranes', () => {
  it('are a line a neuron, with gaps where a value is not finite, and strokes at spikes', () => {
    const fires = ({ step, neuron }: { step: number; neuron: number }) =>
      step === 4 && neuron === 1;
    const seen = observed({ steps: 10, layers: { hidden: 2 }, fires });
    seen.layers[0]!.membranes!.set([Number.NaN, Infinity], 6);
    const svg = svgPicture((canvas) => drawMembranes(canvas, seen, { threshold: 1 }));
    const lengths = series
      .slice(0, 2)
      .map((colour) => linesOf(svg, colour).map((line) => line.map((stretch) => stretch.length)));
    expect(lengths).toEqual([[[3, 6]], [[3, 6]]]);
    expect(rectsOf(svg, spike)).toHaveLength(1);
    expect(svg).toContain('>threshold 1</text>');
    expect(svg).not.toMatch(/NaN|Infinity/);
  });
});

describe('rates', () => {
  const fires = ({ step, neuron }: { step: number; neuron: number }) => step < neuron;

  it('are a bar for each neuron that fires, as high as its rate', () => {
    const seen = observed({ steps: 10, layers: { hidden: 4 }, fires });
    const bars = rectsOf(
      svgPicture((canvas) => drawRates(canvas, seen)),
      series[0],
    );
    expect(bars).toHaveLength(3);
    expect(bars[1]![3]! / bars[0]![3]!).toBeCloseTo(2, 1);
    expect(bars[2]![3]! / bars[0]![3]!).toBeCloseTo(3, 1);
  });

  it('of many neurons are counted by rate, silent ones in words', () => {
    const seen = observed({ steps: 10, layers: { hidden: 900 }, fires });
    const svg = svgPicture((canvas) => drawRates(canvas, seen));
    expect(rectsOf(svg, series[0])).toHaveLength(10);
    expect(svg).toContain('hidden: firing rates, 1 of 900 neurons silent');
  });
});

/** A model as `drawWeights` sees one. */
const modelOf = (shape: readonly number[], values: readonly number[]) => ({
  layout: { parameters: [{ spec: { name: 'hidden.weight', shape } }] } as never,
  parameter: () => Float32Array.from(values),
});

describe('weights', () => {
  it('are squares whose area is the strength, in the colour of their sign', () => {
    const model = modelOf([2, 2], [1, -0.25, Number.NaN, 0]);
    const svg = svgPicture((canvas) => drawWeights(canvas, model));
    const [[, , width = 0, height = 0] = []] = rectsOf(svg, spike);
    const [[left = 0, , small = 0, low = 0] = []] = rectsOf(svg, series[0]);
    expect([rectsOf(svg, spike).length, rectsOf(svg, series[0]).length]).toEqual([1, 1]);
    expect((small * low) / (width * height)).toBeCloseTo(0.25, 2);
    // The first axis goes downwards.
    expect(left).toBeGreaterThan(52 + 578 / 2);
    expect(svg).not.toContain('NaN');
  });

  it('of a large matrix keep the strongest of what shares a square', () => {
    const values = Array.from({ length: 1e6 }, (_, i) => (i === 345_678 ? 1 : 1e-6));
    const svg = svgPicture((canvas) => drawWeights(canvas, modelOf([1000, 1000], values)));
    const largest = Math.max(...rectsOf(svg, spike).map(([, , width = 0]) => width));
    expect(largest).toBeCloseTo(578 / Math.floor(578 / 3), 1);
    expect(svg.length).toBeLessThan(1_500_000);
  });

  it('are counted by value', () => {
    const model = modelOf([2, 3], [0, 0.1, 0.1, 0.9, 1, Number.NaN]);
    const svg = svgPicture((canvas) => drawWeights(canvas, model, { as: 'histogram' }));
    expect(rectsOf(svg, series[0])).toHaveLength(4);
  });
});

describe('curves', () => {
  const history = (epochs: number) => ({
    epochs: Array.from({ length: epochs }, (_, i) => ({
      epoch: i + 1,
      loss: 2 - i / 4,
      seconds: i,
      validation: { count: 4, loss: 2.1 - i / 4, accuracy: i / 8 },
    })),
    losses: Float32Array.of(2, 1.5, Number.NaN, 1, 0.5),
    norms: Float32Array.of(1, 1, 1, 1, 1),
    step: 5,
    ended: 'epochs' as const,
    seconds: 1,
    save: () => new Uint8Array(),
  });

  it('of a history are its loss by step and by epoch, and its accuracy', () => {
    const svg = svgPicture((canvas) => drawCurves(canvas, history(3)));
    for (const title of ['loss by step', 'loss by epoch', 'accuracy by epoch', 'validation']) {
      expect(svg).toContain(`>${title}</text>`);
    }
    const lengths = linesOf(svg, series[0]).map((line) => line.map((stretch) => stretch.length));
    // The last is the line of the legend, which comes behind the curves of its plot.
    expect(lengths).toEqual([[2, 2], [3], [2], [3]]);
  });

  it('of a single epoch are its loss by step alone', () => {
    const svg = svgPicture((canvas) => drawCurves(canvas, history(1)));
    expect(svg).not.toContain('by epoch');
  });

  it('of a million values keep their peak', () => {
    const values = new Float32Array(1e6);
    values[654_321] = 9;
    const svg = svgPicture((canvas) => drawCurves(canvas, { loss: values }));
    const [line = []] = linesOf(svg, series[0]);
    const heights = line.flat().map(([, y = 0]) => y);
    expect(Math.min(...heights)).toBeLessThan(70);
    expect(heights.length).toBeLessThan(1200);
  });

  it('over an x of their own share the axis with others', () => {
    const curves = { every: [3, 2, 1, 0], second: { x: [2, 4], y: [3, 1] } };
    const svg = svgPicture((canvas) => drawCurves(canvas, curves));
    const [line = []] = linesOf(svg, series[1]);
    // The frame is 578 px wide from 52 on, and holds the steps from 1 to 4.
    expect(line[0]!.map(([x = 0]) => Math.round(x))).toEqual([Math.round(52 + 578 / 3), 630]);
  });

  it('on a logarithmic axis leave out what is not above 0', () => {
    const svg = svgPicture((canvas) =>
      drawCurves(canvas, { a: [1, 10, 0, 100, 1] }, { scale: 'log' }),
    );
    const [line = []] = linesOf(svg, series[0]);
    const [[first, second] = [], [third] = []] = line;
    // A power of ten is everywhere as high.
    expect(first![1]! - second![1]!).toBeCloseTo(second![1]! - third![1]!, 1);
  });
});

describe('SVG', () => {
  const hostile = '"/><script>alert(1)</script>&\u0000\uD800';

  it('escapes names, titles and colours', () => {
    const theme = { ...THEMES.dark, font: hostile, spike: hostile, series: [hostile] };
    const seen = observed({ steps: 3, layers: { [hostile]: 2 }, fires: () => true });
    const svg = svgPicture(
      (canvas) => {
        drawRaster(canvas, seen, { theme });
        drawMembranes(canvas, seen, { theme });
        drawCurves(canvas, { [hostile]: [1, 2] }, { theme });
      },
      { title: hostile },
    );
    expect(svg).not.toMatch(/<script|\p{Cc}(?<!\n)|\p{Cs}|&(?!amp;|lt;|gt;|quot;|#39;)/u);
    const names = new Set(Array.from(svg.matchAll(/<\/?(\w+)/g), ([, name]) => name));
    expect([...names].toSorted()).toEqual(['path', 'svg', 'text', 'title']);
    expect(svg.match(/<svg/g)).toHaveLength(svg.match(/<\/svg>/g)!.length);
  });

  it('is the same for the same data, and ids that two pictures would share are not in it', () => {
    const seen = observed({ steps: 3, layers: { hidden: 2 }, fires: () => true });
    const draw = () => svgPicture((canvas) => drawMembranes(canvas, seen));
    expect(draw()).toBe(draw());
    expect(draw()).not.toMatch(/ id=|url\(/);
  });
});
