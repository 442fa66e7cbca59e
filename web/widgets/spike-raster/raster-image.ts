/**
 * Writes one time step as a column of pixels, neuron 0 at the bottom. Where there are fewer rows
 * than neurons, several share a row, which is lit when any of them fired: no spike is lost.
 *
 * @param rows [rows] u32 pixels, overwritten
 * @param lit the pixel of a spike; 0 is a transparent one
 */
export function columnPixels(words: Uint32Array, neurons: number, rows: Uint32Array, lit: number) {
  rows.fill(0);
  const scale = rows.length / neurons;
  for (let word = 0; word < words.length; word++) {
    // Only set bits are visited: layers are silent most of the time.
    for (let left = words[word] ?? 0; left !== 0; left &= left - 1) {
      const neuron = word * 32 + (31 - Math.clz32(left & -left));
      rows[rows.length - 1 - Math.floor(neuron * scale)] = lit;
    }
  }
}
