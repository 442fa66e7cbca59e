import { expect, it } from 'vitest';
import {
  type Context2d,
  drawCurves,
  drawMembranes,
  drawRaster,
  drawRates,
  drawWeights,
  type PictureTarget,
  svgPicture,
} from '../../engine/pictures.ts';

const SIZE = { width: 480, height: 320 };

const STEPS = 60;

/** Neurons that fire the more often the higher they are, and whose membranes fall. */
const layerOf = (name: string, neurons: number) => {
  const spikes = Uint8Array.from({ length: STEPS * neurons }, (_, at) =>
    (Math.floor(at / neurons) * ((at % neurons) + 3)) % 11 === 0 ? 1 : 0,
  );
  const membranes = Float32Array.from(spikes, (spike, at) => 1.2 * spike - Math.sin(at) / 2);
  const rates = Float32Array.from({ length: neurons }, (_, neuron) => neuron / neurons);
  return { name, shape: [neurons], spikes, membranes, rates };
};
const seen = { steps: STEPS, count: 1, layers: [layerOf('hidden', 64), layerOf('output', 10)] };

const weights = {
  layout: { parameters: [{ spec: { name: 'hidden.weight', shape: [12, 20] } }] } as never,
  parameter: () => Float32Array.from({ length: 240 }, (_, i) => Math.sin(i * i)),
};
const loss = Float32Array.from({ length: 300 }, (_, i) => 2 / (1 + i / 50) + Math.sin(i) / 9);

const pictures: readonly (readonly [string, (target: PictureTarget) => void])[] = [
  ['a raster', (target) => drawRaster(target, seen)],
  ['membranes', (target) => drawMembranes(target, seen, { threshold: 1 })],
  ['rates', (target) => drawRates(target, seen)],
  ['weights', (target) => drawWeights(target, weights, { theme: 'dark' })],
  ['curves', (target) => drawCurves(target, { loss, twice: loss.map((one) => 2 * one) })],
];

function canvasOf(draw: (context: CanvasRenderingContext2D) => void) {
  const canvas = Object.assign(document.createElement('canvas'), SIZE);
  const context = canvas.getContext('2d')!;
  draw(context);
  return context.getImageData(0, 0, SIZE.width, SIZE.height).data;
}

/** Pixels of an SVG file as the browser shows it. */
async function pixelsOf(svg: string) {
  const file = new Blob([svg], { type: 'image/svg+xml' });
  const image = Object.assign(new Image(), { src: URL.createObjectURL(file) });
  await image.decode();
  return canvasOf((context) => context.drawImage(image, 0, 0));
}

/** Part of all values that differ by more than what smoothing of edges does. */
const apart = (one: Uint8ClampedArray, other: Uint8ClampedArray) =>
  one.filter((value, at) => Math.abs(value - other[at]!) > 64).length / one.length;

it.each(pictures)('%s: the same on a canvas and as SVG', async (_, draw) => {
  const onCanvas = canvasOf((context) => {
    // Letters are looked at apart: two renderers do not smooth them alike.
    context.fillText = () => {};
    draw(context);
  });
  const svg = svgPicture(draw, SIZE);
  const asSvg = await pixelsOf(svg.replaceAll(/<text[^]*?<\/text>/g, ''));

  expect(svg).toContain('</text>');
  expect(apart(onCanvas, asSvg)).toBeLessThan(0.0005);
  const drawn = onCanvas.filter((value, at) => value !== onCanvas[at % 4]).length;
  expect(drawn).toBeGreaterThan(5000);
});

const places = (['left', 'center', 'right'] as const).flatMap((align) =>
  (['top', 'middle', 'bottom', 'alphabetic'] as const).map((line) => [align, line] as const),
);

it.each(places)('letters stand %s and %s at the same place in SVG', async (align, line) => {
  const write = (context: Context2d) => {
    Object.assign(context, { textAlign: align, textBaseline: line, font: '20px sans-serif' });
    context.fillText('0.25', 240, 160);
  };
  /** The middle of all that is drawn. */
  const middleOf = (pixels: Uint8ClampedArray) => {
    const lit = [...pixels.keys()].filter((at) => at % 4 === 3 && pixels[at]! > 128);
    const points = lit.map((at) => [(at >> 2) % SIZE.width, Math.floor((at >> 2) / SIZE.width)]);
    return [0, 1].map((axis) => points.reduce((sum, at) => sum + at[axis]!, 0) / lit.length);
  };
  const onCanvas = middleOf(canvasOf(write));
  const svg = svgPicture((canvas) => write(canvas.getContext('2d')!), SIZE);
  const asSvg = middleOf(await pixelsOf(svg));

  expect(Math.abs(onCanvas[0]! - asSvg[0]!)).toBeLessThan(1);
  // Browsers take the height of letters from the font, SVG here from its size.
  expect(Math.abs(onCanvas[1]! - asSvg[1]!)).toBeLessThan(1.2);
});

it('a canvas with finer pixels has the same picture, sharper', () => {
  const fine = Object.assign(document.createElement('canvas'), { width: 960, height: 640 });
  const context = fine.getContext('2d')!;
  drawRaster(fine, seen, { ratio: 2 });
  const half = canvasOf((small) => small.drawImage(fine, 0, 0, SIZE.width, SIZE.height));

  const plain = canvasOf((small) => drawRaster(small, seen));
  // Halving smooths letters and thin lines.
  expect(apart(plain, half)).toBeLessThan(0.02);
  // As it was before.
  expect(context.getTransform().a).toBe(1);
});
