import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { Upload } from 'tus-js-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { DatasetRecord } from '../../edge/datasets/contract/dataset.ts';
import { sendDataset } from '../../trainer/send-dataset.ts';
import { bytesOf, type SharedEdge, problemOf, sha256, sharedEdge } from './harness.ts';
import { begin, patch } from './tus-client.ts';

let edge: SharedEdge;
beforeAll(async () => {
  edge = await sharedEdge();
});

const MIB = 2 ** 20;
const CHUNK = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };
/** A part of the bucket and an odd rest. */
const LARGE = bytesOf(9 * MIB + 12_345, 7);

const record = async (name: string) =>
  DatasetRecord.parse(await (await fetch(new URL(`/datasets/${name}`, edge.training))).json());
const stored = async (name: string) => {
  const answer = await fetch(new URL(`/datasets/${name}/content`, edge.training));
  return sha256(new Uint8Array(await answer.arrayBuffer()));
};

/** Uploads with the client of the protocol's authors. */
function uploaded(endpoint: URL, bytes: Uint8Array<ArrayBuffer>, asked: string[] = []) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  new Upload(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    endpoint: String(endpoint),
    chunkSize: 2 * MIB,
    // It asks where it stands and goes on; what had arrived may still be on its way to the bucket.
    retryDelays: [0, 100, 300, 1000],
    metadata: { filename: 'of a disk.txt', filetype: 'text/plain' },
    onBeforeRequest: (request) => void asked.push(request.getMethod()),
    onSuccess: () => resolve(),
    onError: reject,
  }).start();
  return promise;
}

describe('a data set by tus', () => {
  it('is there with its last byte, by the name of its address', async () => {
    await uploaded(new URL('/datasets/tides/uploads', edge.training), LARGE);

    expect(await record('tides')).toMatchObject({
      digest: sha256(LARGE),
      size_bytes: LARGE.byteLength,
      content_type: 'text/plain',
    });
    expect(await stored('tides')).toBe(sha256(LARGE));
    const range = await fetch(new URL('/datasets/tides/content', edge.training), {
      headers: { range: `bytes=${8 * MIB - 4}-${8 * MIB + 3}` },
    });
    expect(new Uint8Array(await range.arrayBuffer())).toEqual(
      LARGE.slice(8 * MIB - 4, 8 * MIB + 4),
    );
  });

  it('goes on where it was after its connection was killed', async () => {
    const asked: string[] = [];
    const line = await cutLine(5 * MIB);

    await uploaded(new URL('/datasets/cut/uploads', line.base), LARGE, asked);

    expect(line.cuts()).toBe(1);
    // One creation: what had arrived was not sent again.
    expect(asked.filter((method) => method === 'POST')).toHaveLength(1);
    expect(asked).toContain('HEAD');
    expect(line.bytes()).toBeLessThan(LARGE.byteLength + 4 * MIB);
    expect(await stored('cut')).toBe(sha256(LARGE));
    line.server.close();
  });

  it('is refused where its name stands for other bytes, or says nothing', async () => {
    await uploaded(new URL('/datasets/taken/uploads', edge.training), bytesOf(100, 1));
    const create = (name: string, length: number) =>
      fetch(new URL(`/datasets/${name}/uploads`, edge.training), {
        method: 'POST',
        headers: { 'tus-resumable': '1.0.0', 'upload-length': String(length) },
      });

    const [taken, empty, unnamed] = [
      await create('taken', 100),
      await create('nothing', 0),
      await create('-', 1),
    ];

    expect(taken.headers.get('tus-resumable')).toBe('1.0.0');
    expect(await problemOf(taken)).toMatchObject({ status: 409, code: 'already_exists' });
    expect(await problemOf(empty)).toMatchObject({ status: 400, code: 'invalid_parameter' });
    expect(await problemOf(unnamed)).toMatchObject({ status: 400, code: 'invalid_parameter' });
  });

  it('is refused where other bytes took its name meanwhile, whichever way they came', async () => {
    const race = `${edge.training.origin}/datasets/race`;
    const begun = () => begin(race, { length: 4, headers: { 'upload-metadata': '' } });
    const [first, second, third] = [await begun(), await begun(), await begun()];
    const bytes = (text: string) => new Uint8Array(Buffer.from(text));
    const override = (upload: URL, text: string) =>
      fetch(upload, {
        method: 'POST',
        headers: { ...CHUNK, 'upload-offset': '0', 'x-http-method-override': 'PATCH' },
        body: bytes(text),
      });

    const taken = await override(first, 'one!');
    const late = await patch(second, 0, bytes('two!'));
    const overridden = await override(third, 'six!');
    const gone = await patch(second, 0, bytes('two!'));

    expect(taken.status).toBe(204);
    expect(await stored('race')).toBe(sha256(bytes('one!')));
    expect(await problemOf(late)).toMatchObject({ status: 409, code: 'already_exists' });
    expect(await problemOf(overridden)).toMatchObject({ status: 409, code: 'already_exists' });
    expect(await problemOf(gone)).toMatchObject({ status: 404, code: 'upload_not_found' });
  });

  it('is how the platform’s own client sends what is large, once', async () => {
    const file = new Blob([bytesOf(33 * MIB, 3)]);
    const base = String(edge.training).replace(/\/$/, '');
    const told: number[] = [];
    const send = () =>
      sendDataset(
        { base, headers: {} },
        { name: 'own', file, contentType: 'text/plain', onProgress: (there) => told.push(there) },
      );

    const first = await send();
    const before = told.length;
    const second = await send();

    expect(first).toMatchObject({ size_bytes: file.size, content_type: 'text/plain' });
    expect(second).toEqual(first);
    expect(told.length).toBe(before);
    expect(told.at(-1)).toBe(file.size);
  });
});

/** A line to the training service that breaks once, after so many bytes have gone towards it. */
async function cutLine(after: number) {
  let [cuts, bytes] = [0, 0];
  const server: Server = createServer((client: Socket) => {
    const target = connect(Number(edge.training.port), edge.training.hostname);
    const end = () => {
      client.destroy();
      target.destroy();
    };
    for (const socket of [client, target]) socket.on('error', end).on('close', end);
    client.on('data', (chunk) => {
      bytes += chunk.length;
      if (cuts > 0 || bytes < after) return;
      cuts++;
      end();
    });
    client.pipe(target).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    server,
    base: new URL(`http://127.0.0.1:${port}`),
    cuts: () => cuts,
    bytes: () => bytes,
  };
}
