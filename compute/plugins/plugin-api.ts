// The API of plugins loads in a fifth of the whole engine's time (0.1 s of a processor,
// not 0.45 s), and every plugin's thread loads it.
// oxlint-disable-next-line no-restricted-imports -- a narrow entry of the engine, as its index is
export * from '../../engine/plugins/index.ts';
