import { describe, expect, it } from 'vitest';
import { ICONS } from '../../../web/ui/icons.ts';

describe('the icons', () => {
  it.each(Object.entries(ICONS))('%s is drawn within the 24 by 24 grid', (_, path) => {
    const numbers = path.match(/-?\d*\.?\d+/g)?.map(Number) ?? [];

    expect(path).toMatch(/^M/);
    expect(numbers.length).toBeGreaterThan(3);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(24);
  });

  it('are all different', () => {
    expect(new Set(Object.values(ICONS)).size).toBe(Object.keys(ICONS).length);
  });
});
