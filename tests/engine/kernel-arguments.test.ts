import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packWords, wordsOf } from '../../engine/backends/wasm/arguments.ts';
import { linkShader } from '../../engine/backends/webgpu/link-shader.ts';
import { isWritten } from '../../engine/kernel-language/written-kernel.ts';
import { kernels } from '../../engine/kernels/kernels.ts';
import { readShaders } from '../../shaders/source-node.ts';

const folder = new URL('../../engine/backends/wasm/assembly/', import.meta.url);
const sources = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, code: readFileSync(new URL(file, folder), 'utf8') }));

describe('the words of a WASM kernel', () => {
  it('are its operands, its attributes, what follows from these, and what its backend adds', () => {
    expect(Object.entries(wordsOf(kernels.stdp_depress)).slice(-3)).toEqual([
      ['high', 'float'],
      ['soft', 'int'],
      ['slowAmplitude', 'float'],
    ]);
    expect(wordsOf(kernels.token_chain)).toEqual({
      idsAt: 'address',
      chainAt: 'address',
      rows: 'int',
      tableAt: 'address',
      tableBits: 'int',
    });
  });

  it('leave out what only the host reads', () => {
    expect(Object.keys(wordsOf(kernels.neuron_step))).not.toContain('model');
  });

  it('have a name each', () => {
    for (const kernel of Object.values(kernels)) {
      if (isWritten(kernel)) continue;
      const {
        operands,
        attributes,
        derived = {},
      } = kernel as typeof kernel & {
        readonly derived?: object;
      };
      const own = [
        ...Object.keys(operands).map((name) => `${name}At`),
        ...Object.keys(attributes),
        ...Object.keys(derived),
      ];
      expect(own, kernel.name).toEqual([...new Set(own)]);
    }
  });

  it('are packed in their order, whatever the order of the values', () => {
    const words = { leftAt: 'address', rows: 'int', scale: 'float' } as const;
    const values = { scale: 0.5, rows: 3, leftAt: 64, unused: 1 };

    expect(packWords('some_kernel', words, values)).toEqual([64, 3, { real: 0.5 }]);
  });

  it('cannot be packed without one of them', () => {
    const pack = () => packWords('some_kernel', { rows: 'int', width: 'int' }, { rows: 3 });

    expect(pack).toThrow('some_kernel: the word width is undefined, expected a number');
  });

  it('are read by name: no kernel takes an address of words', () => {
    const heads = sources.flatMap(({ code }) => [
      ...code.matchAll(/^export function \w+\(\s*args: (\w+),\s*first: i32,\s*last: i32/gm),
    ]);
    // A kernel at least for each row by hand, and those that prepare operands of others.
    expect(heads.length).toBeGreaterThan(60);
    expect(heads.filter(([, type]) => type === 'usize')).toEqual([]);
    const reaching = sources.filter(({ code }) =>
      /\bargs [+-]|(?:load|changetype)<\w+>\(args\b(?!\.)/.test(code),
    );
    expect(reaching.map(({ file }) => file)).toEqual([]);
  });
});

describe('the operands of a shader', () => {
  it('are bound by name: no shader says where', () => {
    const placed = Object.entries(readShaders()).filter(([, code]) => /@binding|@group/.test(code));

    expect(placed.map(([path]) => path)).toEqual([]);
  });

  it('lie where the row of the kernel has them', async () => {
    const code = await linkShader({ ...chain, operands: ['clock', 'chain', 'ids'] });

    expect(code).toContain('@group(0) @binding(2) var<storage, read_write> ids: array<u32>');
    expect(code).toContain('@group(0) @binding(1) var<storage, read_write> chain: array<u32>');
  });

  it('are those of the kernel: another name is refused', async () => {
    await expect(linkShader({ ...chain, operands: ['ids'] })).rejects.toMatchObject({
      code: 'shader-invalid',
      message: expect.stringContaining('chain is none of its operands ids'),
    });
  });

  const chain = {
    path: 'embedding/token_chain',
    constants: { WORKGROUP: 64, ROWS: 5 },
    conditions: {},
  };
});
