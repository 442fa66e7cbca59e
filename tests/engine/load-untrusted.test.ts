import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EngineError } from '../../engine/errors.ts';
import { decodeNetwork, encodeNetwork } from '../../engine/layers/saved-network.ts';
import { encodeSafetensors } from '../../engine/checkpoint/safetensors.ts';
import {
  conv2d,
  flatten,
  init,
  lif,
  linear,
  load,
  type Model,
  neuron,
  residual,
  sequential,
} from '../../library/index.ts';
import { any } from './building-mistakes.ts';
import { reference } from './play.ts';

const own = 'state u = 0\nlearn b = 0.5 in [0, 1] per layer\nu = b * u + I\ns = spike(u - 1)';
const network = sequential(
  [conv2d(2, 3), lif({ beta: 0.5 }), flatten(), residual([linear(8)]), neuron(own), linear(2)],
  { input: [1, 4, 4], steps: 3 },
);
const made: Promise<Model> = init(network, { device: reference, seed: 1 });

/** How bytes are read: `read`, or the code of the refusal; anything else that is thrown as it is. */
function outcomeOf(bytes: Uint8Array): string {
  try {
    decodeNetwork(bytes);
    return 'read';
  } catch (error) {
    const isNamed = error instanceof EngineError && /^the file[: ]/.test(error.message);
    return isNamed ? error.code : String(error);
  }
}

/** A file with a network of its own description, and tensors that are no parameters of it. */
function fileOf(description: unknown, tensors = new Map()): Uint8Array {
  const metadata = {
    format: 'spikegrid.network',
    version: '1',
    network: JSON.stringify(description),
  };
  return encodeSafetensors({ tensors, metadata });
}

describe('a file of unknown origin', () => {
  it('is refused wherever it is cut off, and with more at its end', async () => {
    const bytes = (await made).save();

    const cut = new Set(Array.from(bytes.keys(), (length) => outcomeOf(bytes.subarray(0, length))));

    expect(outcomeOf(bytes)).toBe('read');
    expect(cut).toEqual(new Set(['checkpoint-damaged']));
    expect(outcomeOf(Uint8Array.of(...bytes, 0))).toBe('checkpoint-damaged');
  });

  it('is read or refused with every single bit turned round', async () => {
    const bytes = (await made).save();
    const tally: Record<string, number> = {};

    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const outcome = outcomeOf(bytes.with(bit >> 3, bytes[bit >> 3]! ^ (1 << (bit & 7))));
      tally[outcome] = (tally[outcome] ?? 0) + 1;
    }

    expect(Object.keys(tally).toSorted()).toEqual(
      ['checkpoint-damaged', 'checkpoint-mismatch', 'read'].toSorted(),
    );
  });

  it('with a number that is none is refused by the name of its parameter', () => {
    const values = new Float32Array(network.layout.blockBytes / 4);
    values[network.layout.get('3.0.weight').offsetBytes / 4 + 5] = Number.POSITIVE_INFINITY;

    expect(() => decodeNetwork(encodeNetwork(network, values))).toThrow(
      'the file: 3.0.weight is Infinity at 5: expected finite numbers',
    );
  });

  const huge = 2 ** 24;
  it.each([
    ['weights', { input: huge, layers: [{ kind: 'linear', outputs: huge }] }],
    ['steps', { input: 4, steps: 2 ** 40, layers: [{ kind: 'lif' }] }],
    ['an input', { input: [2 ** 20, 2 ** 20], layers: [{ kind: 'flatten' }] }],
    ['a kernel', { input: [1, 9, 9], layers: [{ kind: 'conv2d', channels: huge, kernel: 4 }] }],
    ['delays', { input: 9, layers: [{ kind: 'delays', longest: 1e9 }] }],
    ['layers', { input: 4, layers: Array.from({ length: 5000 }, () => ({ kind: 'lif' })) }],
    ['a residual within residuals', { input: 4, layers: [nested(90)] }],
    ['neurons', { input: 4, layers: [{ kind: 'neuron', equations: 'state u = 0\n'.repeat(1e5) }] }],
  ])('takes no memory for %s that it only declares', (_name, description) => {
    const bytes = fileOf(description);
    const before = process.memoryUsage().arrayBuffers;

    expect(['checkpoint-damaged', 'checkpoint-mismatch']).toContain(outcomeOf(bytes));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * bytes.length + 1e6);
  });

  function nested(depth: number): unknown {
    return depth === 0 ? { kind: 'lif' } : { kind: 'residual', layers: [nested(depth - 1)] };
  }

  it('with a header that claims more than there is is refused', () => {
    for (const length of [2n ** 64n - 1n, 2n ** 53n, 2n ** 31n, 200n]) {
      const bytes = new Uint8Array(64);
      new DataView(bytes.buffer).setBigUint64(0, length, true);
      expect(outcomeOf(bytes)).toBe('checkpoint-damaged');
    }
  });
});

describe('a file from a server', () => {
  async function served(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/model.safetensors`;
  }

  it('is read, however it comes in pieces', async () => {
    const bytes = (await made).save();
    const url = await served((_request, answer) => {
      answer.write(bytes.subarray(0, 100));
      answer.end(bytes.subarray(100));
    });

    const model = await load(url, { device: reference });

    expect(model.values).toEqual((await made).values);
  });

  it.each<[string, RequestListener, RegExp]>([
    [
      'is not there',
      (_request, answer) => void answer.writeHead(404).end(),
      /: status 404: expected/,
    ],
    [
      'never ends',
      (_request, answer) => {
        const more = (): boolean => answer.write(new Uint8Array(1 << 16));
        answer.on('drain', more);
        more();
      },
      /: it has more than 1000000 bytes: expected a file that save\(\) wrote, or a larger maxBytes$/,
    ],
    [
      'ends too early',
      (_request, answer) => {
        answer.writeHead(200, { 'content-length': '1000' });
        answer.write('short', () => answer.destroy());
      },
      /: it ends before its time: expected a file/,
    ],
  ])('that %s is named', async (_name, answer, message) => {
    const url = await served(answer);

    await expect(load(url, { device: reference, maxBytes: 1e6 })).rejects.toMatchObject({
      code: 'checkpoint-missing',
      message: expect.stringMatching(message),
    });
  });

  it('is asked for where something else is given', async () => {
    await expect(load(any(42))).rejects.toThrow(
      'load: it is given 42: expected a URL, or the bytes',
    );
  });
});
