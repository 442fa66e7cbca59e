/** Waits for what happens by itself, such as what the gateway's probes will find. */
export async function eventually<T>(
  look: () => Promise<T>,
  isIt: (found: T) => boolean,
): Promise<T> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const found = await look();
    if (isIt(found)) return found;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
