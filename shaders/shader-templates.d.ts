/** Made by vite.config.ts. */
declare module 'virtual:shader-templates' {
  /** URL of the templates of all kernels, by path under shaders/ without `.wgsl`: JSON. */
  export const url: string;
}
