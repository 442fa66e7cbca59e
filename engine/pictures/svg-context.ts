import type { Context2d } from './surface.ts';
import {
  circlePath,
  escapeXml,
  fillOf,
  type Pen,
  rectPath,
  short,
  strokeOf,
  textElement,
  written,
} from './svg-elements.ts';

const START: Pen = {
  fillStyle: '#000000',
  strokeStyle: '#000000',
  lineWidth: 1,
  lineJoin: 'miter',
  globalAlpha: 1,
  font: '10px sans-serif',
  textAlign: 'start',
  textBaseline: 'alphabetic',
  dash: [],
};
const PEN = Object.keys(START) as readonly (keyof Pen)[];

interface Saved {
  readonly pen: Pen;
  readonly open: readonly string[];
}

/** A context that writes SVG. No element has an id, so that several pictures fit into one page. */
export class SvgContext implements Context2d, Pen {
  fillStyle = START.fillStyle;
  strokeStyle = START.strokeStyle;
  lineWidth = START.lineWidth;
  lineJoin = START.lineJoin;
  globalAlpha = START.globalAlpha;
  font = START.font;
  textAlign = START.textAlign;
  textBaseline = START.textBaseline;
  dash = START.dash;
  readonly canvas: Context2d['canvas'];
  readonly #elements: string[] = [];
  readonly #saved: Saved[] = [];
  /** Ends of the elements that everything to come lies in, innermost first. */
  #open: readonly string[] = [];
  #path: string[] = [];
  /** The rectangle of the path, for `clip`. */
  #frame: readonly [number, number, number, number] = [0, 0, 0, 0];
  /** Rectangles in a row that look alike become one element. */
  #rects: string[] = [];
  #look = '';

  constructor(canvas: Context2d['canvas']) {
    this.canvas = canvas;
  }

  save(): void {
    const pen = Object.fromEntries(PEN.map((name) => [name, this[name]])) as unknown as Pen;
    this.#saved.push({ pen, open: this.#open });
  }

  restore(): void {
    const saved = this.#saved.pop();
    if (!saved) return;
    this.#add(...this.#open.slice(0, this.#open.length - saved.open.length));
    this.#open = saved.open;
    Object.assign(this, saved.pen);
  }

  scale(x: number, y: number): void {
    this.#begin('g', { transform: `scale(${short(x)} ${short(y)})` });
  }

  setLineDash(segments: readonly number[]): void {
    this.dash = [...segments];
  }

  beginPath(): void {
    this.#path = [];
  }

  moveTo(x: number, y: number): void {
    this.#extend([x, y], () => `M${short(x)} ${short(y)}`);
  }

  lineTo(x: number, y: number): void {
    const command = this.#path.length === 0 ? 'M' : 'L';
    this.#extend([x, y], () => `${command}${short(x)} ${short(y)}`);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#frame = [x, y, width, height];
    this.#extend(this.#frame, () => rectPath(x, y, width, height));
  }

  arc(x: number, y: number, radius: number): void {
    this.#extend([x, y, radius], () => circlePath(x, y, radius));
  }

  clip(): void {
    const [x, y, width, height] = this.#frame.map(short) as [string, string, string, string];
    // An inner picture cuts off what leaves it.
    this.#begin('svg', { x, y, width, height, viewBox: [x, y, width, height].join(' ') });
  }

  fill(): void {
    if (this.#path.length > 0) this.#addPath(this.#path, fillOf(this));
  }

  stroke(): void {
    if (this.#path.length > 0) this.#addPath(this.#path, strokeOf(this));
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    if (![x, y, width, height].every(Number.isFinite)) return;
    const look = written(fillOf(this));
    if (look !== this.#look) this.#flush();
    this.#look = look;
    this.#rects.push(rectPath(x, y, width, height));
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.#addPath([rectPath(x, y, width, height)], strokeOf(this));
  }

  fillText(text: string, x: number, y: number): void {
    if ([x, y].every(Number.isFinite)) this.#add(textElement(this, text, x, y));
  }

  /** The whole file; nothing can be drawn behind it. */
  end(title: string | undefined): string {
    this.#add(...this.#open);
    const [width, height] = [short(this.canvas.width), short(this.canvas.height)];
    const size = written({ width, height, viewBox: `0 0 ${width} ${height}` });
    const name = title === undefined ? '' : `<title>${escapeXml(title)}</title>\n`;
    const elements = this.#elements.join('\n');
    return `<svg xmlns="http://www.w3.org/2000/svg"${size} role="img">\n${name}${elements}\n</svg>\n`;
  }

  /** As on a canvas, a place that is not finite is left out. */
  #extend(places: readonly number[], piece: () => string): void {
    if (places.every(Number.isFinite)) this.#path.push(piece());
  }

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#add(`<${name}${written(attributes)}>`);
    this.#open = [`</${name}>`, ...this.#open];
  }

  #add(...elements: readonly string[]): void {
    this.#flush();
    this.#elements.push(...elements);
  }

  #addPath(pieces: readonly string[], look: Readonly<Record<string, string>>): void {
    this.#add(`<path d="${pieces.join('')}"${written(look)}/>`);
  }

  #flush(): void {
    if (this.#rects.length > 0)
      this.#elements.push(`<path d="${this.#rects.join('')}"${this.#look}/>`);
    this.#rects = [];
  }
}
