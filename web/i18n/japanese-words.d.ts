/** Made by the build (vite.config.ts): the Japanese words as one file beside the scripts. */
declare module 'virtual:japanese-words' {
  /** Undefined where nothing is built: the words are in their modules then. */
  export const url: string | undefined;
}
