/**
 * `navigator.gpu` for Node, from Dawn. Loaded on first use, so that commands that need no GPU start
 * fast and run where Dawn cannot.
 */
export async function openNodeGpu(): Promise<GPU | undefined> {
  try {
    const { create, globals } = await import('webgpu');
    Object.assign(globalThis, globals);
    const gpu: GPU = create([]);
    // Dawn ends the process when the object of create() is collected: it stays on globalThis.
    Object.assign(globalThis, { spikegridGpu: gpu });
    return gpu;
  } catch {
    // No build of Dawn for this platform: the engine says that WebGPU is missing.
    return undefined;
  }
}
