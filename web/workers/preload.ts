const requested = new Map<string, Promise<void>>();

/**
 * Vite's build calls this in place of each `import()`, with the scripts and styles that the imported
 * chunk needs. They are requested together with it, and styles are there before it runs. A worker has no
 * document to request them with and needs no styles.
 */
async function preload<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  if (globalThis.document) await Promise.all(files.map((file) => addFile(file)));
  return load();
}

function addFile(file: string): Promise<void> {
  const url = `${import.meta.env.BASE_URL}${file}`;
  const known = requested.get(url);
  if (known) return known;
  const loading = addLink(url);
  requested.set(url, loading);
  // A failed request may be repeated.
  loading.catch(() => requested.delete(url));
  return loading;
}

function addLink(url: string): Promise<void> {
  if (document.querySelector(`link[href="${url}"]`)) return Promise.resolve();
  const link = document.createElement('link');
  link.href = url;
  link.crossOrigin = '';
  link.rel = url.endsWith('.css') ? 'stylesheet' : 'modulepreload';
  document.head.append(link);
  // The import of a script says itself how it failed.
  if (link.rel !== 'stylesheet') return Promise.resolve();
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`${url} could not be loaded`));
    });
  });
}

export { preload as __vitePreload };
