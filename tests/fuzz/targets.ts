import { dataTargets } from './data-targets.ts';
import { hdf5Target } from './hdf5-target.ts';
import { layerTargets } from './layer-targets.ts';
import { modelTargets } from './model-targets.ts';
import { queryTargets } from './query-targets.ts';
import { recordingTargets } from './recording-targets.ts';
import type { Target } from './target.ts';
import { wireTargets } from './wire-targets.ts';

/** Every reader of bytes that anybody may have sent. */
export const targets: readonly Target[] = [
  ...dataTargets,
  ...recordingTargets,
  ...modelTargets,
  ...layerTargets,
  hdf5Target,
  ...wireTargets,
  ...queryTargets,
];

export function targetNamed(name: string): Target {
  const found = targets.find((target) => target.name === name);
  if (found) return found;
  throw new Error(`no parser is named ${name}: expected ${targets.map((t) => t.name).join(', ')}`);
}
