import { parseArgs } from 'node:util';
import '../engine/dawn.ts';
import { pairs } from './fused-pairs.ts';
import { backends, type Device, steps, type Warm } from './fusion-programs.ts';
import { note } from './report.ts';

/**
 * Times of steps in which two kernels are one, beside the same with two kernels, and with two once more for
 * what the measurement itself varies by: docs/decisions/0037-fusion.md. The three take turns. Run by hand:
 * `npm run bench -- --only fusion`, or after it `node tests/perf/fusion.ts --on wasm1 --only GELU`.
 */
const { values: given } = parseArgs({
  options: {
    on: { type: 'string', default: 'wasm1,wasm2,webgpu' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '12' },
  },
});
/** Runs of a step that are measured together, as short ones are nothing to a clock. */
const GROUP_MS = 8;
const QUANTILES = [0, 0.1, 0.25, 0.5];

async function timeOf({ player, program }: Warm, times: number): Promise<number> {
  const started = performance.now();
  player.play(program, times);
  await player.settled();
  return (performance.now() - started) / times;
}

/** Milliseconds of a step in each of the turns that there is time for. */
async function takeTurns(warm: readonly Warm[]): Promise<number[][]> {
  const [one] = warm;
  const times = one ? Math.max(1, Math.round(GROUP_MS / (await timeOf(one, 1)))) : 1;
  const turns: number[][] = warm.map(() => []);
  const end = performance.now() + 1000 * Number(given.seconds);
  while (performance.now() < end) {
    for (const [index, its] of warm.entries()) turns[index]?.push(await timeOf(its, times));
  }
  return turns.map((its) => its.toSorted((a, b) => a - b));
}

/** Differences from the first at the quickest turn, the tenth, the quarter and the middle. */
function differences(its: readonly number[], first: readonly number[]): string {
  const at = (sorted: readonly number[], part: number) =>
    sorted[Math.floor(part * sorted.length)] ?? Number.NaN;
  const percent = (part: number) => 100 * (at(its, part) / at(first, part) - 1);
  return QUANTILES.map((part) => `${percent(part).toFixed(1)} %`).join(', ');
}

for (const on of given.on.split(',') as Device[]) {
  for (const [name, { before, after, steps: measured }] of Object.entries(pairs)) {
    if (!name.includes(given.only)) continue;
    for (const step of measured) {
      const backend = await backends[on]();
      const size = on === 'webgpu' ? 'tiny' : 'small';
      const warm: Warm[] = [];
      for (const change of [before, after, before]) {
        const play = steps[step];
        if (play) warm.push(await play({ backend, change, size }));
      }
      const [apart = [], joined = [], again = []] = await takeTurns(warm);
      const calls = warm.map(({ program }) => program.calls.length);
      note(
        `${name} in ${step} on ${on}: ${calls[0]} calls, ${apart[0]?.toFixed(3)} ms; ` +
          `joined ${calls[1]} calls, ${differences(joined, apart)}; again ${differences(again, apart)}`,
      );
      for (const { player } of warm) player.close();
      backend.close();
    }
  }
}
// Dawn keeps threads of its own.
process.exit(0);
