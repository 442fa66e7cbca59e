import type { KeyboardEvent } from 'react';

/** Something that is drawn at a place, in px. */
interface Place {
  readonly x: number;
  readonly y: number;
}

const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The nearest place in the direction of an arrow key; what lies aside counts three times as far. */
export function neighbourOf<P extends Place>(
  places: readonly P[],
  from: P,
  key: string,
): P | undefined {
  const direction = DIRECTIONS[key];
  if (!direction) return undefined;
  const [dx, dy] = direction;
  const ahead = places.flatMap((place) => {
    const [x, y] = [place.x - from.x, place.y - from.y];
    const along = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    return along > 0 ? [{ place, far: along + 3 * aside }] : [];
  });
  return ahead.toSorted((a, b) => a.far - b.far)[0]?.place;
}

/** Moves the focus among the buttons of places, in their order, by an arrow key. */
export function moveAmong<P extends Place>(
  event: KeyboardEvent,
  places: readonly P[],
  choose: (place: P) => void,
): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const from = places[buttons.findIndex((button) => button === event.target)];
  const next = from && neighbourOf(places, from, event.key);
  if (!next) return;
  event.preventDefault();
  choose(next);
  buttons[places.indexOf(next)]?.focus();
}
