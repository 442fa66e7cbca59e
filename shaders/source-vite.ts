const files = import.meta.glob<string>('./**/*.wgsl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Every kernel's text by its path under shaders/, such as `neurons/lif_forward.wgsl`. Vite bundles the folder. */
export const shaders: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, code]) => [path.slice('./'.length), code]),
);
