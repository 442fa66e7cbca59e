import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WaitingLine } from '../../edge/inference/cached-model.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const nothing = () => {};

describe('the line of a model', () => {
  it('goes by priority, and behind those who came before; who is at work stays first', async () => {
    const line = new WaitingLine(nothing);
    const order: string[] = [];
    const join = (name: string, priority: number) => {
      const place = line.join(priority, 'm@1.0.0');
      return line.untilFirst(place, nothing).then(() => {
        order.push(name);
        line.leave(place);
      });
    };

    const all = [
      join('at work', 0),
      join('a', 5),
      join('b', 5),
      join('urgent', 9),
      join('late', 0),
    ];
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all(all);

    expect(order).toEqual(['at work', 'urgent', 'a', 'b', 'late']);
  });

  it('goes on without a request that died, whose model nobody can use any more', async () => {
    const lost = vi.fn<() => void>();
    const line = new WaitingLine(lost);
    const died = line.join(5, 'm@1.0.0');
    // The runtime ends a request with its timers.
    clearInterval(died.heartbeat);
    const next = line.join(5, 'm@1.0.0');
    const turn = line.untilFirst(next, nothing);

    await vi.advanceTimersByTimeAsync(9_000);
    expect(line.length).toBe(2);
    await vi.advanceTimersByTimeAsync(2_000);
    await turn;

    expect(line.length).toBe(1);
    expect(lost).toHaveBeenCalledOnce();
  });

  it('does not drop a running request that takes long', async () => {
    const lost = vi.fn<() => void>();
    const line = new WaitingLine(lost);
    line.join(5, 'm@1.0.0');

    await vi.advanceTimersByTimeAsync(60_000);

    expect(line.length).toBe(1);
    expect(lost).not.toHaveBeenCalled();
  });

  it('lets go who does not want to wait any longer', async () => {
    const line = new WaitingLine(nothing);
    line.join(5, 'm@1.0.0');
    const place = line.join(5, 'm@1.0.0');
    const lateAt = Date.now() + 500;
    const tooLate = () => {
      if (Date.now() > lateAt) throw new Error('too late');
    };

    const reason = line.untilFirst(place, tooLate).catch(String);
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await reason).toBe('Error: too late');
  });
});
