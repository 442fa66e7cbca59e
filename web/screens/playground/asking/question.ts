import { Alias } from '../../../../edge/contract/alias.ts';
import type { InferRequestInput } from '../../../../edge/contract/inference/infer.ts';
import { ModelId } from '../../../../edge/contract/model.ts';
import { Version } from '../../../../edge/contract/semver.ts';

/** A version of a model, by its number or by an alias. */
export interface Target {
  readonly modelId: string;
  readonly version?: string;
  readonly alias?: string;
}

/** Reads `id@version` or `id@alias`; null for anything else. */
export function parseTarget(written: string): Target | null {
  const at = written.lastIndexOf('@');
  const [modelId, choice] = [written.slice(0, at), written.slice(at + 1)];
  if (at < 0 || !ModelId.safeParse(modelId).success) return null;
  if (Version.safeParse(choice).success) return { modelId, version: choice };
  return Alias.safeParse(choice).success ? { modelId, alias: choice } : null;
}

export const writeTarget = ({ modelId, version, alias }: Target): string =>
  `${modelId}@${version ?? alias ?? ''}`;

export interface Sampling {
  readonly max_length: number;
  readonly temperature: number;
  readonly top_k: number;
  readonly top_p: number;
  readonly seed: number;
  readonly stop: readonly string[];
  readonly raster: boolean;
}

/** What is asked, of one version or of two. */
export interface Question {
  readonly targets: readonly Target[];
  readonly prompt: string;
  readonly sampling: Sampling;
}

/** What each target is called; the second is told apart from the same one beside it. */
export function namesOf({ targets }: Question): readonly string[] {
  const names = targets.map(writeTarget);
  return names.map((name, place) => (names.indexOf(name) === place ? name : `${name} (2)`));
}

/** The question to one version as the service takes it. */
export function requestOf({ prompt, sampling }: Question, target: Target): InferRequestInput {
  const { modelId, version, alias } = target;
  const { stop, raster, ...numbers } = sampling;
  return {
    model_id: modelId,
    ...(version !== undefined && { version }),
    ...(alias !== undefined && { alias }),
    inputs: { text: prompt },
    config: {
      ...numbers,
      ...(stop.length > 0 && { stop: [...stop] }),
      ...(raster && { raster }),
    },
  };
}

const MAX_STOPS = 8;
const MAX_STOP_LENGTH = 64;
const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\\\': '\\' };

/** Stop sequences, one a line; undefined where there are more or longer ones than the service takes. */
export function parseStops(lines: string): readonly string[] | undefined {
  const stops = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll(/\\[nt\\]/g, (escape) => ESCAPES[escape] ?? escape));
  const fits = stops.length <= MAX_STOPS && stops.every(({ length }) => length <= MAX_STOP_LENGTH);
  return fits ? stops : undefined;
}

/** The inverse of `parseStops`. */
export const writeStops = (stops: readonly string[]): string => stops.map(escaped).join('\n');

const escaped = (stop: string) =>
  stop.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
