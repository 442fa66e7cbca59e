import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

/** Bundles a Worker of this folder as a deployment does: kernels stay a module of their own, compiled beforehand. */
async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    write: false,
    plugins: [
      {
        name: 'wasm-modules',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\.wasm$/ }, () => ({ path: './edge-own.wasm', external: true })),
      },
    ],
  });
  return outputFiles[0]!.text;
}

/** Sends one request to a Worker of this folder, in workerd, and gives what it answers as JSON. */
export async function askWorker(file: string, request: RequestInit): Promise<unknown> {
  const kernels = new URL('../../engine/backends/wasm/build/edge-own.wasm', import.meta.url);
  const modules = [
    { type: 'ESModule', path: 'worker.js', contents: await bundle(file) },
    { type: 'CompiledWasm', path: 'edge-own.wasm', contents: readFileSync(kernels) },
  ] as const;
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      telemetry: { enabled: false },
      workers: [{ name: 'engine', compatibilityDate: '2026-10-23', modules: [...modules] }],
    }),
  );
  const answer = await fetch(await worker.ready, request);
  const body: unknown = await answer.json();
  await worker.dispose();
  return body;
}
