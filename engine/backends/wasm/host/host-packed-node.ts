import type { Host } from './host.ts';
import { compileFile, host as node } from './host-node.ts';

/** Node, from the package. */
export const host: Host = {
  ...node,
  compileWhole: (build) => compileFile(`whole-${build}.wasm`),
};
