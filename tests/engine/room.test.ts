import { describe, expect, it } from 'vitest';
import { EngineError } from '../../engine/errors.ts';
import { families } from '../../engine/models/families.ts';
import { ARCHITECTURES } from '../../engine/models/architectures.ts';
import { requireRoom } from '../../engine/models/room.ts';
import { estimateTraining, type RunSettings } from '../../engine/planning.ts';
import { initialFields } from '../../engine/settings/fields.ts';

const settingsOf = (architecture: RunSettings['architecture']): RunSettings => ({
  architecture,
  fields: initialFields(families[architecture].fields),
  batch: 1_000_000,
  learningRate: 0.001,
  seed: 1,
  budget: { kind: 'steps', steps: 1 },
});
const plan = (settings: RunSettings) => estimateTraining(settings);
const bytesOf = (settings: RunSettings) => plan(settings).memoryBytes;

/** The message about a run that does not fit. */
function refusalOf(
  settings: RunSettings,
  freeBytes: number,
  given: readonly string[] = [],
): string {
  try {
    requireRoom(plan, settings, { freeBytes, place: 'here', given });
    return 'taken';
  } catch (error) {
    if (error instanceof EngineError && error.code === 'out-of-memory') return error.message;
    throw error;
  }
}

describe('a run that does not fit', () => {
  it.each(ARCHITECTURES)('of %s is refused with the largest batch that does', (architecture) => {
    const settings = settingsOf(architecture);
    const free = Math.ceil(bytesOf({ ...settings, batch: 9 }) * 1.05);
    const refusal = refusalOf(settings, free, ['batch_size']);
    const [, most] =
      /^batch_size 1000000 makes the run need .+: here has .+ free, into which batch_size (\d+) fits$/.exec(
        refusal,
      ) ?? [];

    expect(Number(most), refusal).toBeGreaterThanOrEqual(9);
    expect(refusalOf({ ...settings, batch: Number(most) }, free)).toBe('taken');
    expect(refusalOf({ ...settings, batch: Number(most) + 1 }, free)).not.toBe('taken');
  });

  it('names the setting that was chosen, and one that is a structure', () => {
    const small = { ...settingsOf('dense_chronospike'), batch: 4 };
    const settings = { ...small, fields: { ...small.fields, d_model: 4096, n_heads: 4 } };
    const free = bytesOf(settings) / 16;
    const refusal = refusalOf(settings, free, ['d_model']);
    const [, most] = /^d_model 4096 .+ into which d_model (\d+) fits$/.exec(refusal) ?? [];

    expect(Number(most) % 4, refusal).toBe(0);
    expect(
      refusalOf({ ...settings, fields: { ...settings.fields, d_model: Number(most) } }, free),
    ).toBe('taken');
  });

  it('says so where nothing made smaller helps', () => {
    expect(refusalOf(settingsOf('dense_chronospike'), 1000)).toMatch(
      /^batch_size 1000000 .+ here has 1000 bytes free, and no single setting made smaller lets it fit$/,
    );
  });
});
