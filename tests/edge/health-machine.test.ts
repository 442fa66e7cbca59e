import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterProbe,
  type HealthState,
  probeDelayMs,
  UNKNOWN,
  type Verdict,
  worstOf,
} from '../../edge/gateway/health-machine.ts';
import { DEFAULT_HEALTH } from '../../edge/gateway/machine.ts';

const well: Verdict = { kind: 'well' };
const degraded: Verdict = { kind: 'degraded' };
const failed: Verdict = { kind: 'failed', reason: 'no answer within 2 s' };

const after = (verdicts: readonly Verdict[], from: HealthState = UNKNOWN) =>
  verdicts.reduce((state, verdict) => afterProbe(state, verdict, DEFAULT_HEALTH), from);

describe('the health of an instance', () => {
  it.each<[string, readonly Verdict[], HealthState['status']]>([
    ['nothing', [], 'unknown'],
    ['a first good answer', [well], 'passing'],
    ['a first bad answer', [failed], 'critical'],
    ['a degraded answer', [well, degraded], 'warning'],
    ['two failures of three', [well, failed, failed], 'passing'],
    ['three failures', [well, failed, failed, failed], 'critical'],
    ['failures that are not in a row', [well, failed, failed, well, failed, failed], 'passing'],
    ['one good answer after all', [failed, well], 'critical'],
    ['two good answers after all', [failed, well, well], 'passing'],
    ['two good answers not in a row', [failed, well, failed, well], 'critical'],
    ['a recovery that is degraded', [failed, well, degraded], 'warning'],
  ])('after %s', (_, verdicts, status) => {
    expect(after(verdicts).status).toBe(status);
  });

  it('only changes with enough verdicts in a row, whatever comes', () => {
    const anyVerdict = fc.constantFrom(well, degraded, failed);
    fc.assert(
      fc.property(fc.array(anyVerdict, { minLength: 4, maxLength: 60 }), (verdicts) => {
        const states = verdicts.map((_, i) => after(verdicts.slice(0, i + 1)));
        const broken = states.filter((state, i) => {
          const before = states[i - 1]?.status ?? 'unknown';
          const last = (count: number) => verdicts.slice(Math.max(0, i + 1 - count), i + 1);
          if (before === state.status || before === 'unknown') return false;
          if (state.status === 'critical') return last(3).some((verdict) => verdict !== failed);
          if (before === 'critical') return last(2).includes(failed);
          return verdicts[i] !== (state.status === 'warning' ? degraded : well);
        });
        expect(broken).toEqual([]);
      }),
      { seed: 9 },
    );
  });

  it('is the same object where nothing changed, so that nothing is written', () => {
    const passing = after([well]);
    const critical = after([failed, failed]);

    expect(after([well, well], passing)).toBe(passing);
    expect(after([failed, failed], critical)).toBe(critical);
  });

  it('is checked more often while it is in doubt or bad', () => {
    expect(probeDelayMs(after([well]), DEFAULT_HEALTH)).toBe(10_000);
    expect(probeDelayMs(after([well, failed]), DEFAULT_HEALTH)).toBe(2_000);
    expect(probeDelayMs(after([failed]), DEFAULT_HEALTH)).toBe(2_000);
    expect(probeDelayMs(after([failed]), { ...DEFAULT_HEALTH, interval_s: 1 })).toBe(1_000);
  });

  it('of several is the worst of them', () => {
    expect(worstOf(['passing', 'critical', 'warning'])).toBe('critical');
    expect(worstOf(['passing', 'unknown'])).toBe('unknown');
    expect(worstOf([])).toBe('unknown');
  });
});
