/** Made by vite.config.ts. */
declare module 'virtual:moby-dick' {
  /** Where the novel is, on the page's own origin. */
  export const url: string;
}
