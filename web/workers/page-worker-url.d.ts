/** Made by vite.config.ts. */
declare module 'virtual:page-worker' {
  /** Where the script of the page's workers is, on the page's own origin. */
  export const url: string;
}
