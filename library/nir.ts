/**
 * Networks of the neuromorphic intermediate representation (NIR, neuroir.org): read, checked, run and written.
 * A file is a tree of groups and data sets; `spikegrid/node` reads and writes it as HDF5.
 */
export { type Certificate, certify, type CertifyOptions } from '../engine/nir/certificate.ts';
export { fromNir, type FromNirOptions } from '../engine/nir/model-of-nir.ts';
export { toNir } from '../engine/nir/nir-of-layers.ts';
export type { NirEdge, NirGraph, NirNode, NumberData, NumberSet } from '../engine/nir/graph.ts';
export {
  isTextSet,
  isTreeGroup,
  type TextSet,
  type TreeEntry,
  type TreeGroup,
} from '../engine/nir/graph.ts';
export { NIR_VERSION, type NirFile, readNir, writeNir } from '../engine/nir/graph-file.ts';
export { RESET_RULES, type ResetRule } from '../engine/nir/neurons.ts';
export {
  type NirNetwork,
  type NirOptions,
  type NirSignals,
  openNir,
} from '../engine/nir/open-nir.ts';
export { type NirPlan, type PlannedNode, planNir } from '../engine/nir/plan.ts';
