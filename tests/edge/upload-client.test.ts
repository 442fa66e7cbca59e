import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { bytesOf, type SharedEdge, filesOf, registerModel, sha256, sharedEdge } from './harness.ts';

/** Above 32 MiB, from where the client uploads in pieces; two pieces and an odd rest. */
const HUGE = bytesOf(33_600_003, 7);

let edge: SharedEdge;
beforeAll(async () => {
  edge = await sharedEdge();
});

/** A connection to the registry that breaks a given number of times, after that many bytes sent to it. */
async function startBreakingWire(to: URL, breaksAfter: readonly number[]) {
  const left = [...breaksAfter];
  const breaks: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const service = connect(Number(to.port), to.hostname);
    for (const socket of [caller, service]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          caller.destroy();
          service.destroy();
        });
    }
    let passed = 0;
    caller.on('data', (bytes) => {
      passed += bytes.byteLength;
      if (left[0] !== undefined && passed > left[0]) {
        breaks.push(left.shift() ?? 0);
        caller.destroy();
        return;
      }
      if (!service.write(bytes)) {
        caller.pause();
        service.once('drain', () => caller.resume());
      }
    });
    service.on('data', (bytes) => caller.write(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breaks,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

// Half a minute is little for these bytes where every core is wanted by four processes.
describe('a large file', { timeout: 120_000 }, () => {
  it.each(['bytes', 'a Blob'])(
    'as %s arrives whole over a wire that breaks three times',
    async (form) => {
      const modelId = `broken-${form.replace(' ', '-').toLowerCase()}`;
      const model = await registerModel(edge.registry, modelId);
      // In the first piece, in the second, and at once when it is tried again.
      const wire = await startBreakingWire(edge.registry, [9_000_000, 20_000_000, 1000]);
      const client = createRegistryClient({ base: wire.base });
      const reports: number[] = [];

      const answer = await client.upload({
        modelId,
        version: '1.0.0',
        filename: 'model.safetensors',
        body: form === 'bytes' ? HUGE : new Blob([HUGE]),
        onProgress: (sent) => reports.push(sent),
      });
      wire.stop();

      expect(wire.breaks).toHaveLength(3);
      expect(answer).toEqual({
        model_id: modelId,
        version: '1.0.0',
        filename: 'model.safetensors',
        size_bytes: HUGE.byteLength,
        digest: sha256(HUGE),
        etag: `"${sha256(HUGE)}"`,
      });
      expect((await filesOf(model)).files).toMatchObject([{ digest: sha256(HUGE) }]);
      expect(reports.at(-1)).toBe(HUGE.byteLength);
    },
  );

  it('stops when aborted, and resumes from there later', async () => {
    await registerModel(edge.registry, 'paused');
    const client = createRegistryClient({ base: `${edge.gateway.origin}/registry` });
    const stop = new AbortController();
    let location = '';
    const begun = client.upload({
      modelId: 'paused',
      version: '1.0.0',
      filename: 'model.safetensors',
      body: HUGE,
      signal: stop.signal,
      onLocation: (told) => (location = told),
      onProgress: (sent) => sent > 20_000_000 && stop.abort(new Error('paused')),
    });
    await expect(begun).rejects.toThrow('paused');
    expect((await client.getModel({ params: { id: 'paused' } })).files).toEqual([]);

    const reports: number[] = [];
    const onProgress = (sent: number) => void reports.push(sent);
    const answer = await client.resumeUpload({ location, body: HUGE, onProgress });

    // One piece was safe.
    expect(reports[0]).toBe(16 * 1024 * 1024);
    expect(answer).toMatchObject({ model_id: 'paused', digest: sha256(HUGE) });
  });

  it('that was given up cannot go on, nor one of another length', async () => {
    await registerModel(edge.registry, 'ended');
    const client = createRegistryClient({ base: edge.registry.origin });
    const stop = new AbortController();
    let location = '';
    const begun = client.upload({
      modelId: 'ended',
      version: '1.0.0',
      filename: 'model.safetensors',
      body: HUGE,
      signal: stop.signal,
      onLocation: (told) => {
        location = told;
        stop.abort(new Error('ended'));
      },
    });
    await expect(begun).rejects.toThrow('ended');

    const shorter = client.resumeUpload({ location, body: HUGE.subarray(1) });
    await expect(shorter).rejects.toMatchObject({ code: 'offset_mismatch' });
    await client.endUpload(location);
    await client.endUpload(location);
    const gone = client.resumeUpload({ location, body: HUGE });
    await expect(gone).rejects.toMatchObject({ code: 'upload_not_found' });
  });

  it('is refused by name for a version that does not exist', async () => {
    const client = createRegistryClient({ base: edge.registry.origin });
    const file = { modelId: 'none', version: '1.0.0', filename: 'a', body: HUGE };

    await expect(client.upload(file)).rejects.toMatchObject({ code: 'model_not_found' });
  });
});
