import { fileURLToPath } from 'node:url';
import { buildDashboard } from './dashboard-build.ts';

/** Builds what a deployment serves: `run.mjs` has made the kernels, this makes `dist/web`. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const outcome = await buildDashboard(root);
console.log(outcome === 'built' ? 'dist/web is built' : 'dist/web is up to date');
