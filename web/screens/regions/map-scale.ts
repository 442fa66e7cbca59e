/** The map in the units of its outline: half degrees, from 80 degrees north to 58 south. */
export const MAP = { width: 720, height: 276 } as const;

/** Where a place lies on the map (equirectangular), as shares of its width and height. */
export function mapPlace({ lat, lon }: { readonly lat: number; readonly lon: number }): {
  readonly x: number;
  readonly y: number;
} {
  const y = (2 * (80 - lat)) / MAP.height;
  return { x: (lon + 180) / 360, y: Math.min(1, Math.max(0, y)) };
}
