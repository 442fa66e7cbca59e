/** Points of two half moons that lie in each other, `x` is `[count, 2]`, drawn anew for every seed. */
export function moons(count, seed) {
  const x = new Float32Array(count * 2);
  const y = new Uint32Array(count);
  let state = (Math.imul(seed + 1, 2654435761) + 12345) >>> 0;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let point = 0; point < count; point++) {
    const label = point % 2;
    const angle = Math.PI * random();
    const [a, b] = [Math.cos(angle), Math.sin(angle)];
    const noise = () => 0.1 * (random() - 0.5);
    x[2 * point] = (label === 0 ? a : 1 - a) + noise();
    x[2 * point + 1] = (label === 0 ? b : 0.5 - b) + noise();
    y[point] = label;
  }
  return { x, y };
}
