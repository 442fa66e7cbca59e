/** Made by vite.config.ts. */
declare module 'virtual:shader-templates' {
  /** Where the templates of all kernels are, by path under shaders/ without `.wgsl`: JSON. */
  export const url: string;
}
