/** Made by vite.config.ts. */
declare module 'virtual:shader-templates' {
  /** Every kernel's template by its path under shaders/ without `.wgsl`. */
  export const templates: Readonly<Record<string, import('./template.ts').Template>>;
}
