import { describe, expect, it } from 'vitest';
import { nameOfFiles } from '../../../web/ui/dropped-files.ts';

const placed = (path: string) => ({ path, file: new File([], path.split('/').at(-1) ?? '') });

describe('files that were chosen together', () => {
  it.each([
    ['', []],
    ['a.txt', ['a.txt']],
    ['a.txt', ['digits/a.txt']],
    ['digits', ['digits/0/a.png', 'digits/1/a.png']],
    // No folder holds them all.
    ['a.png +1', ['digits/a.png', 'letters/a.png']],
    ['a.png +2', ['a.png', 'b.png', 'a.png.txt']],
    ['a.png +1', ['digits/a.png', 'b.png']],
  ])('are called %j', (name, paths) => {
    expect(nameOfFiles(paths.map(placed))).toBe(name);
  });
});
