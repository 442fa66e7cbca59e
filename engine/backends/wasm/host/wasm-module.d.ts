/** Bundlers for the edge hand over a compiled module. */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  // oxlint-disable-next-line import/no-default-export -- the form that bundlers give it
  export default module;
}
