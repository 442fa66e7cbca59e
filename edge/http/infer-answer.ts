import type { InferRequest, LayerRaster, SpikeUse } from '../contract/inference/infer.ts';
import { Problem } from '../contract/refusal.ts';

/** What a model's tokenizer is asked for; the engine's own has more. */
export interface Tokenizer {
  readonly characters: readonly string[];
  encode(text: string): Uint32Array;
  idOf(codePoint: number): number | undefined;
}

/** Tokens of which a picture may be asked for: each spike of each is sent. */
const MAX_RASTER_TOKENS = 2_048;

/** The tokens of a prompt; an empty one starts as after a line break. @throws Problem validation_failed */
export function encodePrompt(tokenizer: Tokenizer, text: string, model: string): Uint32Array {
  const { characters } = tokenizer;
  try {
    const first = characters.includes('\n') ? '\n' : (characters[0] ?? '');
    return tokenizer.encode(text === '' ? first : text);
  } catch (error) {
    if (codeOf(error) !== 'unknown-character') throw error;
    const reason = error instanceof Error ? error.message : '';
    throw invalid('/inputs/text', 'unknown_character', `${reason} (${model})`);
  }
}

/** The stop sequences in tokens. What holds a character that the model does not know never comes. */
export function encodeStops(
  tokenizer: Pick<Tokenizer, 'idOf'>,
  stops: readonly string[],
): Uint32Array[] {
  return stops.flatMap((stop) => {
    const ids = Array.from(stop, (character) => tokenizer.idOf(character.codePointAt(0) ?? 0));
    const known = ids.filter((id) => id !== undefined);
    return known.length === ids.length ? [Uint32Array.from(known)] : [];
  });
}

/** @throws Problem validation_failed for a picture of too much */
export function checkRaster(prompt: number, { config }: Pick<InferRequest, 'config'>): void {
  const tokens = prompt + config.max_length;
  if (!config.raster || tokens <= MAX_RASTER_TOKENS) return;
  const detail = `a picture of ${tokens} tokens, prompt and max_length together: expected at most ${MAX_RASTER_TOKENS}`;
  throw invalid('/config/raster', 'too_big', detail);
}

/** A refusal that names one place of the body. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('validation_failed', `${pointer}: ${detail}`, {
    errors: [{ pointer, code, detail }],
  });
}

/** What spikes did, as the engine counts it. */
export interface CountedUse {
  readonly total: number;
  readonly rate: number;
  readonly synapticOps: number;
  readonly denseMacs: number;
  readonly energy: {
    readonly computePj: number;
    readonly denseComputePj: number;
    readonly withMemoryPj: number;
    readonly denseWithMemoryPj: number;
  };
}

export function spikesOf({
  total,
  rate,
  synapticOps,
  denseMacs,
  energy,
}: CountedUse = NO_SPIKES): SpikeUse {
  return {
    total,
    rate,
    synaptic_ops: synapticOps,
    dense_macs: denseMacs,
    energy: {
      compute_pj: energy.computePj,
      dense_compute_pj: energy.denseComputePj,
      with_memory_pj: energy.withMemoryPj,
      dense_with_memory_pj: energy.denseWithMemoryPj,
    },
  };
}

/** Of a text that was called off, nobody counted. */
const NO_SPIKES: CountedUse = {
  total: 0,
  rate: 0,
  synapticOps: 0,
  denseMacs: 0,
  energy: { computePj: 0, denseComputePj: 0, withMemoryPj: 0, denseWithMemoryPj: 0 },
};

/** When each neuron of a layer fired: a packed row for each time step of each token. */
export interface RasterRows {
  readonly layer: string;
  readonly neurons: number;
  readonly rows: Uint32Array;
}

export function layerRaster({ layer, neurons, rows }: RasterRows): LayerRaster {
  const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
  const times = rows.length / Math.ceil(neurons / 32);
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return { layer, neurons, times, bits: btoa(text) };
}

/** Why files make no model, for whoever asked for it; `error` as it is where the engine did not say. */
export function buildProblem(error: unknown, what: string): unknown {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const detail = `${what} cannot be built: ${error.message}.`;
  switch (code) {
    case 'checkpoint-damaged':
    case 'checkpoint-mismatch':
    case 'checkpoint-missing':
      return new Problem('digest_mismatch', detail);
    case 'invalid-structure':
      return new Problem('invalid_structure', detail);
    case 'out-of-memory':
      return new Problem('insufficient_vram', detail);
    default:
      return new Problem('upstream_error', detail);
  }
}

/** The code of an EngineError; undefined of any other. This folder does not know the engine. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'EngineError' && 'code' in error
    ? String(error.code)
    : undefined;
