import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Memory of one NVIDIA GPU, as its driver tells it. */
interface GpuMemory {
  /** As nvidia-smi counts. */
  readonly index: number;
  readonly name: string;
  readonly totalBytes: number;
  readonly freeBytes: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Listed extends GpuMemory {
  readonly uuid: string;
}

const QUERY = [
  '--query-gpu=index,uuid,memory.total,memory.free,name',
  '--format=csv,noheader,nounits',
];
const TIMEOUT_MS = 5000;
const MEBIBYTE = 2 ** 20;

/**
 * Free memory of the first GPU that CUDA_VISIBLE_DEVICES or else NVIDIA_VISIBLE_DEVICES names, by its
 * number or its UUID; of the first there is where neither is set. Null where they name none, where
 * nvidia-smi is missing or too slow, or where it answers in another form: nothing is known then.
 */
export async function queryGpuMemory(environment: Environment): Promise<GpuMemory | null> {
  const wanted = firstVisible(environment);
  if (wanted === undefined) return null;
  const gpus = parseGpus(await askDriver(environment));
  const found = gpus.find((gpu) => isNamed(gpu, wanted)) ?? (wanted === ANY ? gpus[0] : undefined);
  if (!found) return null;
  const { index, name, totalBytes, freeBytes } = found;
  return { index, name, totalBytes, freeBytes };
}

/** Whichever comes first. */
const ANY = 'all';
const NONE: ReadonlySet<string> = new Set(['', 'none', 'void', 'NoDevFiles', '-1']);

function firstVisible(environment: Environment): string | undefined {
  const { CUDA_VISIBLE_DEVICES: cuda, NVIDIA_VISIBLE_DEVICES: nvidia } = environment;
  const [first = ''] = (cuda ?? nvidia ?? ANY).split(',');
  return NONE.has(first.trim()) ? undefined : first.trim();
}

/** A UUID may be cut short as long as it is plain which one is meant. */
function isNamed({ index, uuid }: Listed, wanted: string): boolean {
  return wanted.startsWith('GPU-') ? uuid.startsWith(wanted) : String(index) === wanted;
}

async function askDriver(environment: Environment): Promise<string> {
  try {
    const options = { timeout: TIMEOUT_MS, env: environment, windowsHide: true };
    return (await promisify(execFile)('nvidia-smi', QUERY, options)).stdout;
  } catch {
    return '';
  }
}

/** One line a GPU: `0, GPU-…, 143771, 143000, NVIDIA H200`, in MiB. Another form is no answer at all. */
function parseGpus(text: string): readonly Listed[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const gpus = lines.map((line) => {
    const parsed = /^(\d+), (GPU-[0-9a-f-]+), (\d+), (\d+), (.+)$/.exec(line.trim());
    if (!parsed) return undefined;
    const [, index, uuid = '', total, free, name = ''] = parsed;
    return {
      index: Number(index),
      uuid,
      name,
      totalBytes: Number(total) * MEBIBYTE,
      freeBytes: Number(free) * MEBIBYTE,
    };
  });
  const understood = gpus.filter((gpu) => gpu !== undefined);
  return understood.length === gpus.length ? understood : [];
}
