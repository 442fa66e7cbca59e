import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeIsolated } from '../../compute/nir/decode-isolated.ts';
import { decodeHdf5, encodeHdf5 } from '../../compute/nir/hdf5.ts';
import { nirJson } from '../../compute/nir/describe-nir.ts';
import { readNirFile, writeNirFile } from '../../compute/nir/nir-file.ts';
import {
  decodeSafetensors,
  encodeSafetensors,
  encodeSpikingMlp,
  type NirGraph,
  type NirNode,
  openBackend,
  openNir,
  readNir,
  writeNir,
} from '../../engine/index.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { spikingMlpParameters } from '../../engine/models/spiking-mlp/structure.ts';
import { anyNirGraph } from './any-nir-graph.ts';
import { edges, floats, hdf5File, node, publishedNetwork, text, whole } from './nir-hdf5.ts';
import { refusalOf, runSpikegrid, temporaryFolder } from './spikegrid-process.ts';

fc.configureGlobal({ seed: 20_261_121 });

/** Numbers that look like none in particular. */
function waves(count: number, centre: number, height: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => centre + height * Math.sin(7 * i + 1));
}

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
let published: Uint8Array;
beforeAll(async () => {
  published = await publishedNetwork();
  writeFileSync(at('published.nir'), published);
});
afterAll(() => folder.remove());

describe('a NIR file', () => {
  it('holds the same graph after it was written and read, bit for bit', async () => {
    await fc.assert(
      fc.asyncProperty(anyNirGraph, async (graph) => {
        const file = { version: '1.0', graph };
        const read = readNir(await decodeHdf5(await encodeHdf5(writeNir(file)), 'a file'));
        expect(read).toEqual(file);
        expect(readNir(await decodeHdf5(await encodeHdf5(writeNir(read)), 'again'))).toEqual(file);
      }),
      { numRuns: 40 },
    );
  });

  it('made by hand after the published layout is read as it is meant', async () => {
    const { version, graph } = await readNirFile(at('published.nir'));

    expect(version).toBe('1.0.6');
    expect([...graph.nodes.keys()].toSorted()).toEqual(['fc1', 'input', 'lif1', 'output', 'w_rec']);
    expect(graph.edges).toContainEqual(['w_rec', 'lif1']);
    expect(graph.nodes.get('fc1')).toEqual({
      type: 'Affine',
      weight: { shape: [3, 4], data: Float32Array.of(1, 2, 0, 0, 0, 1, 0, -1, 0.5, 0.5, 0.5, 0.5) },
      bias: { shape: [3], data: Float32Array.of(0, 0.25, -0.5) },
    });
    expect(graph.nodes.get('lif1')).toMatchObject({
      type: 'LIF',
      tau: { shape: [], data: Float32Array.of(2e-4) },
      metadata: new Map([['framework', { shape: [], texts: ['by hand'] }]]),
    });
  });

  it('runs as its equations say', async () => {
    const { graph } = await readNirFile(at('published.nir'));
    const backend = await openBackend('reference', { gpu: undefined });
    const network = await openNir(backend, graph, {
      dt: 1e-4,
      reset: 'value',
      steps: 6,
      record: ['w_rec'],
    });
    const { output } = await network.run({ input: Float32Array.of(0.6, 0, 0, 0) });
    network.close();

    // tau is two steps and r two: v[t] = v[t-1] / 2 + x[t]. The drives are 0.6, 0.25 and -0.2, and a spike
    // of one neuron adds 1 to the next in the step after.
    expect(network.isRecurrent).toBe(true);
    expect([...output!].join('')).toBe(['000', '000', '100', '010', '000', '100'].join(''));
  });
});

describe('a file that is none', () => {
  const cases: [string, () => Promise<Uint8Array>, RegExp][] = [
    ['an empty one', async () => new Uint8Array(0), /: 0 bytes without the signature of HDF5$/],
    ['a text', async () => new TextEncoder().encode('not HDF5'), /without the signature of HDF5$/],
    ['a signature alone', async () => published.slice(0, 8), /: the file is damaged \(.+\)$/],
    [
      'half a file',
      async () => published.slice(0, published.length / 2),
      /: the file is damaged \(.+\)$/,
    ],
    ['an empty HDF5 file', () => hdf5File(() => {}), /NIR: the file has no group "node"/],
    [
      'a group that is itself in itself',
      () =>
        hdf5File((file) => {
          file.create_group('node');
          file.create_hard_link('/node', 'node/node');
        }),
      /: groups are nested more than 128 deep$/,
    ],
    [
      'a link to another file',
      () => hdf5File((file) => file.create_external_link('/etc/hosts', '/', 'node')),
      /: \/node is neither a group nor a data set of this file$/,
    ],
    [
      'a link to nowhere',
      () => hdf5File((file) => file.create_soft_link('/nowhere', 'node')),
      /: \/node is neither a group nor a data set of this file$/,
    ],
    [
      'more than a hundred times its size',
      () =>
        hdf5File((file) => {
          const data = file.create_dataset({
            name: 'huge',
            data: new Float64Array(1),
            shape: [1],
            maxshape: [null],
            chunks: [1024],
          });
          data.resize([2 ** 40]);
        }),
      /: \/huge is \[1099511627776\]: the file holds more than \d{8} bytes$/,
    ],
    [
      'a reference',
      () =>
        hdf5File((file) => {
          const reference = file.create_group('other').create_reference();
          file.create_dataset({ name: 'node', data: [reference], shape: [1] });
        }),
      /: \/node is of class 7: expected numbers or text$/,
    ],
    [
      'a time constant of no number',
      () =>
        hdf5File((file) => {
          text(file, 'version', '1.0');
          const graph = file.create_group('node');
          text(graph, 'type', 'NIRGraph');
          const nodes = graph.create_group('nodes');
          whole(node(nodes, 'input', 'Input'), 'shape', [1]);
          const li = node(nodes, 'li', 'LI');
          for (const name of ['tau', 'r', 'v_leak'])
            floats(li, name, [1], [name === 'tau' ? Number.NaN : 1]);
          whole(node(nodes, 'output', 'Output'), 'shape', [1]);
          edges(graph, [
            ['input', 'li'],
            ['li', 'output'],
          ]);
        }),
      /NIR: li \(LI\): tau is NaN at 0: expected finite numbers$/,
    ],
  ];

  it('is refused in one line that names it', async () => {
    const backend = await openBackend('reference', { gpu: undefined });
    for (const [name, make, message] of cases) {
      const bytes = await make();
      const opened = decodeHdf5(bytes, 'hostile').then((tree) =>
        openNir(backend, readNir(tree).graph, { dt: 1e-4, reset: 'value', steps: 1 }),
      );
      await expect(opened, name).rejects.toMatchObject({
        name: 'EngineError',
        message: expect.stringMatching(message),
      });
    }
    // The library is none the worse for it.
    expect(readNir(await decodeHdf5(published, 'whole')).graph.nodes.size).toBe(5);
  });

  it('is refused wherever it was changed, whatever that does to the library', async () => {
    const change = fc.tuple(fc.nat(published.length - 1), fc.nat(255));
    const changes = fc.sample(fc.array(change, { minLength: 4, maxLength: 40 }), 4);
    const outcomes = await Promise.all(
      changes.map((places) => {
        const bytes = published.slice();
        for (const [place, value] of places) bytes[place] = value;
        return decodeIsolated({ bytes, name: 'changed' }).then(readNir).catch(String);
      }),
    );
    const refused = outcomes.filter((outcome) => typeof outcome === 'string');

    expect(refused).not.toHaveLength(0);
    for (const outcome of refused) expect(outcome).toMatch(/^EngineError: /);
  });

  it('is not waited for without end, and a library that loses its mind is no harm', async () => {
    const bytes = published.slice();
    // The number of a text that lies in the heap of texts: what names it is lost.
    const place = Buffer.from(bytes).indexOf('fc1', Buffer.from(bytes).indexOf('GCOL'));
    bytes[place - 16] = 142;

    await expect(decodeIsolated({ bytes, name: 'lost.nir' })).rejects.toThrow(
      /^lost\.nir: the file is damaged \(.+\)$/,
    );
    await expect(decodeIsolated({ bytes: published, name: 'late.nir' }, 1)).rejects.toThrow(
      /^late\.nir: reading it did not end within 0\.00\d s of processor time$/,
    );
  });

  it('is not written under a name that HDF5 cannot hold', async () => {
    const nodes = new Map<string, NirNode>([['a/b', { type: 'Input', shape: [1] }]]);
    const graph: NirGraph = { type: 'NIRGraph', nodes, edges: [] };
    await expect(writeNirFile(at('slash.nir'), { version: '1', graph })).rejects.toThrow(
      'HDF5 cannot hold the name "a/b": expected one without "/"',
    );
  });
});

describe('spikegrid nir', () => {
  it('shows what a file holds', async () => {
    const shown = await runSpikegrid('nir', 'inspect', at('published.nir'));

    expect(shown.stdout, shown.stderr).toContain(
      'published.nir: NIR 1.0.6, 5 nodes, 28 parameters, recurrent\n',
    );
    expect(shown.stdout).toMatch(
      /^ {2}lif1 +LIF +\[3\] {2}from fc1, w_rec \(of the step before\)$/m,
    );
    expect(nirJson(await readNirFile(at('published.nir')), 1e-4)).toMatchObject({
      parameters: 28,
      nodes: expect.arrayContaining([
        {
          name: 'lif1',
          type: 'LIF',
          input: [3],
          output: [3],
          from: [
            { node: 'fc1', late: false },
            { node: 'w_rec', late: true },
          ],
        },
      ]),
    });
  });

  it('exports a classifier, and runs what it exported', async () => {
    const sizes = { inputs: 6, hidden: 9, classes: 3, steps: 20 };
    const structure = { ...sizes, beta: 0.9, threshold: 1, surrogate: 'atan' } as const;
    const layout = layOutParameters(spikingMlpParameters(structure));
    const values = waves(layout.blockBytes / 4, 0.05, 0.4);
    writeFileSync(at('mlp.safetensors'), encodeSpikingMlp({ structure, layout, values }));
    const tensor = { dtype: 'F32', shape: [6], data: waves(6, 0.5, 0.5) } as const;
    const input = encodeSafetensors({ tensors: new Map([['input', tensor]]), metadata: {} });
    writeFileSync(at('input.safetensors'), input);
    const run = ['nir', 'run', at('mlp.nir'), '--input', at('input.safetensors'), '--steps', '20'];

    const exported = await runSpikegrid('nir', 'export', at('mlp.safetensors'), at('mlp.nir'));
    const ran = await runSpikegrid(
      ...[...run, '--reset', 'delayed', '--device', 'reference', '--json'],
      ...['--output', at('out.safetensors')],
    );

    expect(exported.stdout, exported.stderr).toMatch(
      /mlp\.nir: 6 nodes; run it with --dt 0\.0001 --reset delayed --steps 20\ninput: constant numbers/,
    );
    const out = decodeSafetensors(readFileSync(at('out.safetensors')), 'out').tensors.get(
      'output',
    )!;
    expect(out.shape).toEqual([20, 1, 3]);
    expect(new Set(out.data)).toEqual(new Set([0, 1]));
    const spikes = Array.from(out.data);
    const counts = [0, 1, 2].map(
      (n) => spikes.filter((spike, i) => spike === 1 && i % 3 === n).length,
    );
    expect(JSON.parse(ran.stdout), ran.stderr).toMatchObject({
      steps: 20,
      reset: 'delayed',
      sums: { output: counts },
    });
  });

  it.each([
    [
      ['run', 'published.nir', '--input', '1', '--steps', '5', '--dt', '1'],
      /^spikegrid: NIR: lif1 \(LIF\): tau is 0\.0002 at neuron 0, shorter than a step of 1: /,
    ],
    [['export', 'published.nir', 'published.nir'], /published\.nir is there already\n$/],
  ])('refuses %j', async (args, message) => {
    const [verb = '', ...rest] = args;
    const files = rest.map((arg) => (arg.endsWith('.nir') ? at(arg) : arg));
    const { stderr } = await refusalOf('nir', verb, ...files);

    expect(stderr).toMatch(message);
  });
});
