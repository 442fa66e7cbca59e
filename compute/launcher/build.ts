import { fileURLToPath } from 'node:url';
import { bundleApi } from '../plugins/plugin-bundle.ts';
import { buildDashboard } from './dashboard-build.ts';

/** Builds what is made ahead of time: `run.mjs` has made the kernels, this makes `dist/web` and what plugins import. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const outcome = await buildDashboard(root);
console.log(outcome === 'built' ? 'dist/web is built' : 'dist/web is up to date');
await bundleApi();
