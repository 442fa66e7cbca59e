import { createReadingCodes } from '../../engine/encoding.ts';

/** Encodes the readings that are posted as JSON, in each code. */
async function encode(request: Request): Promise<Response> {
  const { steps, intensities, signal } = (await request.json()) as {
    readonly steps: number;
    readonly intensities: number[];
    readonly signal: number[];
  };
  const codes = await createReadingCodes({ steps });
  return Response.json({
    rate: [...(await codes.rate(intensities, 7))],
    latency: [...(await codes.latency(intensities))],
    delta: [...(await codes.delta(signal))],
  });
}

// oxlint-disable-next-line import/no-default-export -- the form that the runtime asks for
export default { fetch: encode };
