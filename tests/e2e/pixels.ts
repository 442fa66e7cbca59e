import type { Locator } from 'playwright/test';

/** How many pixels of a canvas have the colour of a token, give or take what smoothing does. */
export function countPixels(canvas: Locator, token: string): Promise<number> {
  return canvas.evaluate((element: HTMLCanvasElement, name: string) => {
    const hex = getComputedStyle(element).getPropertyValue(name).trim();
    const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    // Read from a copy: the browser would keep a canvas that is read from in main memory from then on.
    const copy = new OffscreenCanvas(element.width, element.height);
    const context = copy.getContext('2d', { willReadFrequently: true })!;
    context.drawImage(element, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let count = 0;
    for (let pixel = 0; pixel < data.length; pixel += 4) {
      const isOpaque = data[pixel + 3]! > 200;
      const isNear = wanted.every((value, at) => Math.abs(data[pixel + at]! - value) < 12);
      if (isOpaque && isNear) count++;
    }
    return count;
  }, token);
}

/** A fingerprint of what a canvas shows. */
export function fingerprint(canvas: Locator): Promise<string> {
  return canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL());
}
