/** Made by vite.config.ts. */
declare module 'virtual:shader-templates' {
  /** As in template.ts, which a declaration of a module cannot import. */
  type Piece = string | readonly [string, readonly Piece[], readonly Piece[]];
  /** Every kernel's template by its path under shaders/ without `.wgsl`. */
  export const templates: Readonly<Record<string, readonly Piece[]>>;
}
