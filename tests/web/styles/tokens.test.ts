import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { THEMES } from '../../../engine/pictures/surface.ts';

const css = readFileSync(new URL('../../../web/styles/tokens.css', import.meta.url), 'utf8');

type Rgb = readonly [red: number, green: number, blue: number];

/** The colours of the block that starts with `selector`. */
function colours(selector: string): Readonly<Record<string, string>> {
  const block = css.split(`${selector} {`)[1]!.split('}')[0]!;
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name!, hex!]),
  );
}
const themes = { light: colours(':root'), dark: colours(":root[data-theme='dark']") };
const bothThemes = Object.entries(themes);

/** sRGB to linear light, each channel 0 to 1. */
function linear(hex: string): Rgb {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** WCAG 2.2, definition of "relative luminance". */
function luminance(hex: string): number {
  const [red, green, blue] = linear(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, definition of "contrast ratio". */
function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

const multiply = (matrix: readonly Rgb[], [x, y, z]: Rgb) =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Rgb;

/** Machado, Oliveira and Fernandes 2009, severity 1, on linear light. */
const VISION: Readonly<Record<string, readonly Rgb[]>> = {
  typical: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

/** Distance in Oklab; 0.02 is about the smallest that areas side by side show, thin lines need more. */
function distance(a: Rgb, b: Rgb): number {
  const [p, q] = [oklab(a), oklab(b)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

function oklab(rgb: Rgb): Rgb {
  const lms = multiply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb.map((value) => Math.min(1, Math.max(0, value))) as unknown as Rgb,
  );
  return multiply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    lms.map(Math.cbrt) as unknown as Rgb,
  );
}

const GROUNDS = ['ground', 'surface', 'sunken'];
const TEXTS = ['ink', 'ink-muted'];
/** Words in these colours stand on the surface, or on the soft ground of their own. */
const TONES = ['accent', 'spike', 'good', 'warn', 'bad'];
const SERIES = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'];

describe.each(bothThemes)('the %s theme', (_, theme) => {
  const pairs = [
    ...TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)),
    ...TONES.map((tone) => [tone, 'surface'] as const),
    ...['accent', 'bad'].map((tone) => [tone, 'ground'] as const),
    ...['good', 'warn', 'bad'].map((tone) => [tone, `${tone}-soft`] as const),
    ...['accent-soft', 'bad-soft'].map((ground) => ['ink', ground] as const),
    ...['accent', 'accent-strong'].map((ground) => ['ink-on-accent', ground] as const),
    ['surface', 'ink'] as const,
  ];

  it.each(pairs)('shows words in %s on %s with a contrast of 4.5 or more', (text, ground) => {
    expect(contrast(theme[text]!, theme[ground]!)).toBeGreaterThanOrEqual(4.5);
  });

  const graphics = [...SERIES, 'spike', 'line-strong', 'focus', 'accent'];

  it.each(graphics)('shows lines in %s on every ground with a contrast of 3 or more', (graphic) => {
    for (const ground of GROUNDS) {
      expect(contrast(theme[graphic]!, theme[ground]!)).toBeGreaterThanOrEqual(3);
    }
  });

  it.each(Object.entries(VISION))('keeps the series apart for %s vision', (_name, matrix) => {
    const seen = SERIES.map((name) => multiply(matrix, linear(theme[name]!)));
    const distances = seen.flatMap((a, i) => seen.slice(i + 1).map((b) => distance(a, b)));

    expect(Math.min(...distances)).toBeGreaterThan(0.1);
  });
});

describe('both themes', () => {
  it('define the same colours', () => {
    expect(Object.keys(themes.dark)).toEqual(Object.keys(themes.light));
  });
});

it.each(['light', 'dark'] as const)('pictures of the library have the %s colours', (name) => {
  const tokens = themes[name];
  const { font: _, series, ...single } = THEMES[name];
  expect(single).toEqual({
    ink: tokens['ink'],
    muted: tokens['ink-muted'],
    line: tokens['line'],
    surface: tokens['surface'],
    accent: tokens['accent'],
    spike: tokens['spike'],
  });
  expect(series).toEqual([1, 2, 3, 4, 5, 6].map((number) => tokens[`series-${number}`]));
});
