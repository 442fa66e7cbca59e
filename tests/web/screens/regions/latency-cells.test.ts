import { describe, expect, it } from 'vitest';
import { cellsOf, moved, waysIn } from '../../../../web/screens/regions/LatencyPanel.tsx';
import { mapPlace } from '../../../../web/screens/regions/RegionMap.tsx';

describe('the latencies', () => {
  const cells = cellsOf({
    matrix: { tokyo: { tokyo: 0, oregon: 45 }, oregon: { tokyo: 50 } },
    sources: { tokyo: { oregon: 'measured' }, oregon: { tokyo: 'estimated' } },
  });

  it('are in the order of the regions, with where they come from', () => {
    expect(waysIn(cells)).toEqual([
      { from: 'tokyo', to: 'oregon', ms: 45, source: 'measured' },
      { from: 'oregon', to: 'tokyo', ms: 50, source: 'estimated' },
    ]);
    expect(cells[1]?.[1]).toBeUndefined();
  });

  it.each([
    ['ArrowDown', { row: 1, column: 1 }],
    ['ArrowUp', { row: 0, column: 1 }],
    ['ArrowLeft', { row: 0, column: 0 }],
    ['End', { row: 0, column: 4 }],
    ['Home', { row: 0, column: 0 }],
    ['a', undefined],
  ])('are gone through by %s, within the grid', (key, spot) => {
    expect(moved(key, { row: 0, column: 1 }, 5)).toEqual(spot);
  });
});

describe('a place on the map', () => {
  it('is where it lies on earth', () => {
    expect(mapPlace({ lat: 80, lon: -180 })).toEqual({ x: 0, y: 0 });
    expect(mapPlace({ lat: 11, lon: 0 })).toEqual({ x: 0.5, y: 0.5 });
    expect(mapPlace({ lat: -90, lon: 180 })).toEqual({ x: 1, y: 1 });
  });
});
