/**
 * Draws one example's raster, the membrane of its first neuron below, and rates on the right, as SVG: a file in
 * Node, an element in a page.
 */
export async function show(name, { spikes, membranes, rates }) {
  const n = rates.length;
  const fired = [...spikes.keys()].filter((at) => spikes[at] === 1);
  const raster = fired.map((at) => `M${5 * Math.floor(at / n)} ${5 * (at % n)}h4v4h-4z`);
  const membrane = [...membranes].filter((_, at) => at % n === 0);
  const line = membrane.map((u, step) => `${5 * step},${(5 * n + 40 - 20 * u).toFixed(1)}`);
  const bars = [...rates].map(
    (rate, i) => `<rect x="310" y="${5 * i}" width="${(80 * rate).toFixed(1)}" height="4"/>`,
  );
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="${5 * n + 60}">` +
    `<path d="${raster.join('')}"/>${bars.join('')}` +
    `<polyline points="${line.join(' ')}" fill="none" stroke="teal"/></svg>`;
  if (globalThis.document) document.body.insertAdjacentHTML('beforeend', svg);
  else await (await import('node:fs/promises')).writeFile(`${name}.svg`, svg);
}
