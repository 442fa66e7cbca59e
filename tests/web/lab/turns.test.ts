import { describe, expect, it } from 'vitest';
import { createTurns } from '../../../web/lab/host/turns.ts';

describe('turns', () => {
  it('run one after the other, in the requested order', async () => {
    const turns = createTurns();
    const order: string[] = [];
    const task = (name: string) => async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      await Promise.resolve();
      order.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all(['a', 'b', 'c'].map((name) => turns.take(task(name))));

    expect(results).toEqual(['a', 'b', 'c']);
    expect(order).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('go on after one that failed, whose failure is its own', async () => {
    const turns = createTurns();
    const failing = turns.take(() => Promise.reject(new Error('lost')));
    const next = turns.take(async () => 'fine');

    await expect(failing).rejects.toThrow('lost');
    expect(await next).toBe('fine');
  });
});
