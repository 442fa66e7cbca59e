import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createAssociativeMemory,
  createTextEmbedder,
  EMBEDDING_SIZE,
  readAssociativeMemory,
} from '../../../engine/memory.ts';
import {
  type AssociativeMemory,
  openAssociativeMemory,
} from '../../../engine/memory/associative-memory.ts';
import { hashBytes } from '../../../engine/memory/hash.ts';
import { reference, variants } from '../play.ts';
import { randomSource } from '../random.ts';
import { backends } from './backends.ts';

/** 44 memories fit. */
const small = { columns: 8, perColumn: 8 };

function vectors(count: number, seed: number): Int8Array[] {
  const from = randomSource(seed);
  return Array.from({ length: count }, () =>
    Int8Array.from({ length: EMBEDDING_SIZE }, () => from.uniform(-16, 16)),
  );
}

/** Replaces a share of the numbers by those of another vector. */
function noisy(vector: Int8Array, share: number, seed: number): Int8Array {
  const from = randomSource(seed);
  const [other] = vectors(1, seed + 1000);
  return vector.map((value, i) => (from.uniform(0, 1) < share ? other![i]! : value));
}

async function filled(memory: AssociativeMemory, all: readonly Int8Array[]) {
  for (const [i, vector] of all.entries()) await memory.store(`m${i}`, vector);
  return memory;
}

const stored = async (count: number, seed: number) =>
  filled(await createAssociativeMemory(small), vectors(count, seed));

describe('an associative memory', () => {
  it('recalls each of its memories from itself, to its capacity', async () => {
    const memory = await createAssociativeMemory(small);
    expect(memory.capacity).toBe(44);
    const all = vectors(memory.capacity, 1);
    await filled(memory, all);

    for (const [i, vector] of all.entries()) {
      const [best] = await memory.recall(vector, 1);
      expect(best).toEqual({ key: `m${i}`, overlap: 1 });
    }
    expect(memory.size).toBe(44);
  });

  it('refuses one more than that, and takes it when another is removed', async () => {
    const memory = await stored(44, 2);
    const [more] = vectors(1, 3);

    await expect(memory.store('more', more!)).rejects.toThrow(
      'it holds 44 memories, as many as it can recall',
    );
    expect((await memory.recall(more!, 44)).map(({ key }) => key)).not.toContain('more');
    await memory.store('m7', more!);
    expect(memory.remove('m8')).toBe(true);
    await memory.store('more', more!);
    expect(memory.size).toBe(44);
  });

  it('finds more memories from noisy cues than their codes alone do', async () => {
    const all = vectors(200, 4);
    const memory = await filled(await createAssociativeMemory(), all);
    const cues = all.slice(0, 60).map((vector, i) => noisy(vector, 0.5, i));
    const found = async (steps?: number) => {
      const answers = await Promise.all(cues.map((cue) => memory.recall(cue, 1, steps)));
      return answers.filter(([best], i) => best?.key === `m${i}`).length;
    };

    expect(await found(0)).toBeLessThan(45);
    expect(await found()).toBeGreaterThan((await found(0)) + 5);
  });

  it('has the same synapses and answers on every backend', async () => {
    const all = vectors(20, 5);
    const expected = await filled(await openAssociativeMemory(reference, small), all);
    expected.remove('m3');
    const cues = all.map((vector, i) => noisy(vector, 0.3, i));
    const answers = (memory: AssociativeMemory) =>
      Promise.all(cues.map((cue) => memory.recall(cue, 3)));

    for (const name of backends) {
      const backend = await variants[name]();
      const memory = await filled(await openAssociativeMemory(backend, small), all);
      memory.remove('m3');
      expect(await memory.weights(), name).toEqual(await expected.weights());
      expect(await answers(memory), name).toEqual(await answers(expected));
      memory.close();
      backend.close();
    }
  });

  it('finds a text that is written badly', async () => {
    const texts = ['the storm cut the power', 'the station was closed', '彼女は毎朝コーヒーを飲む'];
    const { embed } = await createTextEmbedder();
    const memory = await createAssociativeMemory();
    for (const [i, vector] of (await embed(texts)).entries()) await memory.store(`m${i}`, vector);

    const [typed, asked] = await embed(['The statoin was closd!', '彼女は朝コーヒーを飲みます']);

    expect((await memory.recall(typed!, 1))[0]?.key).toBe('m1');
    expect((await memory.recall(asked!, 1))[0]?.key).toBe('m2');
  });
});

describe('what is removed', () => {
  it('is forgotten: the synapses are those of a memory that never knew it', async () => {
    const step = fc.record({ vector: fc.nat(11), removed: fc.boolean() });
    const all = vectors(12, 6);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const memory = await createAssociativeMemory(small);
        const left = new Set<number>();
        for (const { vector, removed } of steps) {
          left.delete(vector);
          if (removed) memory.remove(`m${vector}`);
          else {
            await memory.store(`m${vector}`, all[vector]!);
            left.add(vector);
          }
        }
        const fresh = await createAssociativeMemory(small);
        for (const i of left) await fresh.store(`m${i}`, all[i]!);

        expect(await memory.weights()).toEqual(await fresh.weights());
        expect(memory.toBytes()).toEqual(fresh.toBytes());
      }),
      { numRuns: 20 },
    );
  });

  it('leaves a memory with the same code as it was', async () => {
    const [vector] = vectors(1, 7);
    const memory = await createAssociativeMemory(small);
    await memory.store('first', vector!);
    const alone = await memory.weights();
    await memory.store('second', vector!);
    memory.remove('second');

    expect(await memory.weights()).toEqual(alone);
    expect(await memory.recall(vector!, 5)).toEqual([{ key: 'first', overlap: 1 }]);
  });
});

describe('the bytes of an associative memory', () => {
  it('give the same memory again, whatever its keys are', async () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('鍵', '🙂', '\u0000', '\ufeffkey'));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(key, { maxLength: 12 }), fc.nat(), async (keys, seed) => {
        const all = vectors(keys.length, seed);
        const memory = await createAssociativeMemory(small);
        for (const [i, name] of keys.entries()) await memory.store(name, all[i]!);

        const again = await readAssociativeMemory(memory.toBytes());

        expect(again.toBytes()).toEqual(memory.toBytes());
        expect(await again.weights()).toEqual(await memory.weights());
        for (const vector of all.slice(0, 3)) {
          expect(await again.recall(vector, 3)).toEqual(await memory.recall(vector, 3));
        }
      }),
      { numRuns: 10 },
    );
  });

  it('are refused with any byte changed, cut or added', async () => {
    const bytes = (await stored(3, 8)).toBytes();
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.map((byte, i) => (i === at ? byte ^ 0x10 : byte));
      await expect(readAssociativeMemory(changed)).rejects.toThrow(/damaged bytes|version/);
      await expect(readAssociativeMemory(bytes.subarray(0, at))).rejects.toThrow('damaged bytes');
    }
    await expect(readAssociativeMemory(Uint8Array.of(...bytes, 0))).rejects.toThrow('damaged');
  });

  it('of another version are refused as such, and wrong contents by what is wrong', async () => {
    const bytes = (await stored(2, 9)).toBytes();
    const signed = (change: (view: DataView) => void) => {
      const copy = bytes.slice();
      const view = new DataView(copy.buffer);
      change(view);
      const end = copy.length - 4;
      view.setUint32(end, hashBytes(copy.subarray(0, end)), true);
      return readAssociativeMemory(copy);
    };

    await expect(signed((view) => view.setUint32(4, 2, true))).rejects.toThrow(
      'version 2, expected 1',
    );
    await expect(signed((view) => view.setUint32(16, 3, true))).rejects.toThrow(
      'it ends in memory 2 of 3',
    );
    await expect(signed((view) => view.setUint32(16, 1, true))).rejects.toThrow('bytes follow');
    await expect(signed((view) => view.setUint8(24, 8))).rejects.toThrow('the code of m0');
    await expect(signed((view) => view.setUint32(8, 2 ** 31, true))).rejects.toThrow('columns of');
  });
});

describe('what makes no sense', () => {
  it('is refused with what was expected', async () => {
    const memory = await createAssociativeMemory(small);
    const [vector] = vectors(1, 10);
    const zero = new Int8Array(EMBEDDING_SIZE);

    await expect(memory.store('zero', zero)).rejects.toThrow('the embedding of zero is all zero');
    await expect(memory.store('short', vector!.subarray(1))).rejects.toThrow('255 numbers');
    await expect(memory.store('\ud800', vector!)).rejects.toThrow('expected well-formed text');
    await expect(memory.recall(vector!, 0)).rejects.toThrow('topK is 0');
    expect(await memory.recall(zero, 3)).toEqual([]);
    expect(await memory.recall(vector!, 3)).toEqual([]);
    expect(memory.remove('unknown')).toBe(false);
    await expect(createAssociativeMemory({ columns: 3, perColumn: 7 })).rejects.toThrow(
      '3 columns of 7 neurons',
    );
  });
});
