import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Types, lint (with the import boundaries and cycles), format, words, the pages of docs/, the API description and the
 * dependencies as the lockfile has them, in this order; stops at the first that fails.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (tool: string) => `${root}node_modules/.bin/${tool}`;
const steps: readonly { readonly tool: string; readonly file: string; readonly args: string[] }[] =
  [
    { tool: 'tsc', file: bin('tsc'), args: ['-b'] },
    { tool: 'oxlint', file: bin('oxlint'), args: ['--deny-warnings'] },
    { tool: 'oxfmt', file: bin('oxfmt'), args: ['--check'] },
    { tool: 'node', file: process.execPath, args: ['tools/words.ts'] },
    { tool: 'node', file: process.execPath, args: ['tools/exports.ts'] },
    { tool: 'node', file: process.execPath, args: ['tools/pages.ts'] },
    { tool: 'node', file: process.execPath, args: ['tools/openapi.ts'] },
    { tool: 'node', file: process.execPath, args: ['tools/audit.ts', '--offline'] },
  ];

for (const { tool, file, args } of steps) {
  const started = performance.now();
  const { status } = spawnSync(file, args, { cwd: root, stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${tool} ${args.join(' ')} (${seconds} s)`);
  if (status !== 0) process.exit(1);
}
