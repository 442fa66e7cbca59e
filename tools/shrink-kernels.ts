import binaryen from 'assemblyscript/binaryen';

/** The features that kernels are compiled with (tools/kernels.mjs), the emitted ones included. */
const FEATURES =
  binaryen.Features.MutableGlobals |
  binaryen.Features.SignExt |
  binaryen.Features.NontrappingFPToInt |
  binaryen.Features.BulkMemory |
  binaryen.Features.BulkMemoryOpt |
  binaryen.Features.SIMD128;

/**
 * A module without the functions that are not wanted and what only they call. The rest is optimised: code
 * that our emitter wrote holds what a compiler would have folded, a quarter of its bytes.
 */
export function shrinkModule(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): Uint8Array<ArrayBuffer> {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES);
  for (const name of functionsOf(module).filter((one) => !isWanted(one))) module.removeExport(name);
  binaryen.setOptimizeLevel(2);
  binaryen.setShrinkLevel(1);
  module.optimize();
  const shrunk = Uint8Array.from(module.emitBinary());
  module.dispose();
  return shrunk;
}

function functionsOf(module: binaryen.Module): readonly string[] {
  const count = module.getNumExports();
  const exported = Array.from({ length: count }, (_, i) =>
    binaryen.getExportInfo(module.getExportByIndex(i)),
  );
  return exported.filter(({ kind }) => kind === binaryen.ExternalFunction).map(({ name }) => name);
}
