import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, installPacked, nodes } from './packed-app.ts';
import { filesOf, linesOf, memoryProgram } from './programs.ts';

describe('the program that remembers, from the packed library', () => {
  let app: App;
  beforeAll(() => {
    app = installPacked();
    app.copyExample(memoryProgram.folder, ...filesOf(memoryProgram));
  });
  afterAll(() => app.remove());

  // The oldest Node has WASM without relaxed SIMD, whose sums are rounded otherwise.
  const [, oldest = process.execPath] = [...nodes].toSorted()[0] ?? [];

  test.each([0, 1, 2, 3, 4])(
    'finds matches by recurrence and delays from seed %i',
    async (seed) => {
      const [, , withMemory, without] =
        memoryProgram.prints.exec(await app.run(oldest, 'main.js', `${seed}`)) ?? [];
      console.log(`seed ${seed}: ${withMemory} % of matches found, ${without} % by neither`);

      expect(Number(withMemory)).toBeGreaterThan(90);
      expect(Number(withMemory)).toBeGreaterThan(Number(without) + 8);
    },
  );

  test('is as short as it has to be', () => {
    expect(linesOf(memoryProgram)).toBeLessThanOrEqual(memoryProgram.most);
  });
});
