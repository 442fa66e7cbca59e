import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, installPacked, nodes, root } from './packed-app.ts';
import { filesOf, linesOf, programs } from './programs.ts';

/** The entries of the installed package by what a program imports. */
function entriesOf(app: App): readonly string[] {
  const manifest = JSON.parse(
    readFileSync(join(app.folder, 'node_modules/spikegrid/package.json'), 'utf8'),
  ) as { readonly exports: Record<string, unknown> };
  const names = Object.keys(manifest.exports).filter((name) => !/[*]|json$/.test(name));
  return names.map((name) => name.replace(/^\./, 'spikegrid'));
}

const FORMULA = `
import { differentiate, Graph, keep, layOutParameters, openBackend } from 'spikegrid/graph';
import { formula } from 'spikegrid/kernels';
for (const device of ['wasm', 'reference']) {
  const layout = layOutParameters([{ name: 'x', shape: [2], initial: { kind: 'constant', value: 0 } }]);
  const graph = new Graph('softsign', layout);
  const value = formula(graph, 'x / (1 + abs(x))', { x: graph.parameter('x') });
  const output = keep(graph, 'output', value);
  const seed = graph.local('seed', 'f32', [2]);
  differentiate(graph, value, seed);
  const { value: x, gradient } = layout.get('x');
  const program = graph.build();
  const backend = await openBackend(device, { gpu: undefined });
  const player = await backend.load(layout, [program]);
  player.write(x, Float32Array.of(1, -3));
  player.write(seed, Float32Array.of(1, 1));
  player.play(program);
  const numbers = [...(await player.read(output)), ...(await player.read(gradient))];
  console.log(device, ...numbers.map((one) => one.toFixed(4)));
}`;

describe('the packed library in an empty folder', () => {
  let app: App;
  beforeAll(() => {
    app = installPacked();
  });
  afterAll(() => app.remove());

  test.each([...nodes])('every entry can be imported with Node %s', async (_, node) => {
    const entries = entriesOf(app);
    app.write(
      'entries.js',
      `for (const entry of ${JSON.stringify(entries)}) {
        const names = Object.keys(await import(entry));
        console.log(entry, names.length > 0 ? 'has names' : 'is empty');
      }`,
    );
    const said = await app.run(node, 'entries.js');
    expect(said.trim().split('\n')).toEqual(entries.map((entry) => `${entry} has names`));
  });

  test.each(programs)('examples/$folder runs on every Node', async (program) => {
    app.copyExample(program.folder, ...filesOf(program));
    const removePeer = program.peer && app.addPeer(program.peer);
    try {
      for (const node of nodes.values()) {
        expect(await app.run(node, 'main.js')).toMatch(program.prints);
      }
    } finally {
      removePeer?.();
    }
    console.log(`examples/${program.folder}: ${linesOf(program)} lines of ${program.most}`);
    expect(linesOf(program)).toBeLessThanOrEqual(program.most);
  });

  test.each([...nodes])('the quickstart of its README learns with Node %s', async (_, node) => {
    const readme = readFileSync(join(app.folder, 'node_modules/spikegrid/README.md'), 'utf8');
    app.write('quickstart.js', /^```js\n([^]*?)^```/m.exec(readme)?.[1] ?? '');
    expect(await app.run(node, 'quickstart.js')).toMatch(/accuracy: (?:1|0\.9\d*),/);
  });

  test('NIR files ask for h5wasm where it is not installed', async () => {
    app.write(
      'nir.js',
      `import { readNirFile } from 'spikegrid/node';
      await readNirFile('network.nir').catch((error) => console.log(error.message));`,
    );
    const said = await app.run(process.execPath, 'nir.js');
    expect(said).toContain('h5wasm is not installed: expected npm install h5wasm');
  });

  test('pictures are SVG without a package, and PNG with @napi-rs/canvas', async () => {
    app.copyExample('look-inside', 'main.js', 'show.js');
    await app.run(process.execPath, 'main.js');
    for (const name of ['raster', 'membranes', 'rates']) {
      expect(readFileSync(join(app.folder, `${name}.svg`), 'utf8')).toMatch(/^<svg [^]*<\/svg>\n$/);
    }
    app.write('png.js', "process.argv[2] = 'png'; await import('./main.js');");
    await expect(app.run(process.execPath, 'png.js')).rejects.toThrow(
      'raster.png is a PNG and @napi-rs/canvas cannot be loaded: expected npm install @napi-rs/canvas',
    );
    const peer = join(app.folder, 'node_modules/@napi-rs');
    symlinkSync(join(root, 'node_modules/@napi-rs'), peer);
    await app.run(process.execPath, 'png.js');
    rmSync(peer);
    for (const name of ['raster', 'membranes', 'rates']) {
      const file = readFileSync(join(app.folder, `${name}.png`));
      // A PNG has its width and height at a fixed place.
      expect([file.toString('latin1', 1, 4), file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual(
        ['PNG', 1280, 800],
      );
    }
  });

  test('a formula is a kernel with a gradient on every device of Node', async () => {
    app.write('formula.js', FORMULA);
    const said = (await app.run(process.execPath, 'formula.js')).trim().split('\n');
    // x / (1 + |x|) at 1 and -3, and its derivative, 1 / (1 + |x|)^2.
    expect(said).toEqual([
      'wasm 0.5000 -0.7500 0.2500 0.0625',
      'reference 0.5000 -0.7500 0.2500 0.0625',
    ]);
  });

  test.each(['bundler', 'nodenext'])('its types hold with moduleResolution %s', (resolution) => {
    const entries = entriesOf(app);
    const imports = entries.map((entry, i) => `import * as entry${i} from '${entry}';`);
    const all = `export const all = [${entries.map((_, i) => `entry${i}`).join(', ')}];`;
    app.write('types.ts', [...imports, all].join('\n'));
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: false, types: [] },
      ...{ target: 'es2022', lib: ['es2023', 'dom'], moduleResolution: resolution },
      module: resolution === 'bundler' ? 'esnext' : 'nodenext',
    };
    app.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['types.ts'] }));
    const tsc = join(root, 'node_modules/.bin/tsc');
    expect(spawnSync(tsc, { cwd: app.folder, encoding: 'utf8' }).stdout).toBe('');
  });
});
