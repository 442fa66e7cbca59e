/** Stretches of time in ms since 1970. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** The slider has so many places. */
export const PLACES = 1_000;

/** From the first memory to now, or to the last memory where that is later. */
export function windowOf(first: string | null, last: string | null, now: number): TimeWindow {
  const from = first === null ? now : Date.parse(first);
  const to = Math.max(now, last === null ? now : Date.parse(last));
  return { from, to: Math.max(to, from + PLACES) };
}

/** The place of a moment on the slider; the last one is now. */
export function placeAt(at: string, { from, to }: TimeWindow): number {
  if (at === '') return PLACES;
  const fraction = (Date.parse(at) - from) / (to - from);
  return Math.round(Math.min(1, Math.max(0, fraction)) * PLACES);
}

/** The moment of a place on the slider as ISO 8601; empty, which is now, for the last. */
export function momentAt(place: number, { from, to }: TimeWindow): string {
  if (place >= PLACES) return '';
  return new Date(from + ((to - from) * place) / PLACES).toISOString();
}

/** Where an interval lies in the window, from 0 to 1; what nothing ends reaches to its end. */
export function spanOf(
  validAt: string,
  invalidAt: string | null,
  { from, to }: TimeWindow,
): readonly [start: number, end: number] {
  const fraction = (at: number) => Math.min(1, Math.max(0, (at - from) / (to - from)));
  return [fraction(Date.parse(validAt)), invalidAt === null ? 1 : fraction(Date.parse(invalidAt))];
}
