import {
  type CheckpointFiles,
  openLanguageModel,
  openWasmBackend,
  unpackModel,
} from '../../engine/inference.ts';

/** Writes forty characters with the checkpoint that is posted as a form, and says on what. */
async function write(request: Request): Promise<Response> {
  const form = await request.formData();
  const files: CheckpointFiles = new Map(
    await Promise.all(
      [...form].map(
        async ([name, file]) =>
          [name, new Uint8Array(await (file as File).arrayBuffer())] as [string, Uint8Array],
      ),
    ),
  );
  const backend = await openWasmBackend();
  const model = await openLanguageModel(backend, unpackModel(files));
  let text = '';
  const sampling = { temperature: 0.8, topK: 0, topP: 1, seed: 5 };
  for await (const piece of model.generate({ prompt: 'Call me ', tokens: 40, ...sampling })) {
    text += piece;
  }
  return Response.json({ text, device: backend.device.label });
}

// oxlint-disable-next-line import/no-default-export -- the form that the runtime asks for
export default { fetch: write };
