import { EngineError } from '../../errors.ts';
import type { Dispatch } from './dispatch.ts';
import { bindingsIn, entryPoint, linkShader } from './link-shader.ts';
import { printStep } from './written-step.ts';

/** Compiles shader variants once: two calls of the same text share a pipeline. */
export interface PipelineCache {
  get(dispatch: Dispatch): Promise<BoundPipeline>;
}

/** A pipeline, and the bindings that it has; a shader may do without some operands. */
interface BoundPipeline {
  readonly pipeline: GPUComputePipeline;
  readonly bindings: ReadonlySet<number>;
}

export function createPipelineCache(device: GPUDevice): PipelineCache {
  const compiled = new Map<string, Promise<BoundPipeline>>();
  return {
    async get(dispatch) {
      const { path, model } = dispatch;
      const linked = await shaderText(dispatch);
      const code = model ? `${linked}\n${await sourceOf(model)}` : linked;
      const known = compiled.get(code);
      if (known) return known;
      const ownLines = model ? linked.split('\n').length : Number.POSITIVE_INFINITY;
      const pipeline = compile(device, path, { code, ownLines, model: model?.name });
      compiled.set(code, pipeline);
      return pipeline;
    },
  };
}

/** The shader of a call: of its file, or of its equations. */
export function shaderText(dispatch: Dispatch): Promise<string> {
  const { generated } = dispatch;
  return generated ? withLibraries(generated) : linkShader(dispatch);
}

/** Code and behind it the files that it calls. */
async function withLibraries({ code, libraries }: Calling) {
  const files = libraries.map((path) => linkShader({ path, constants: {}, conditions: {} }));
  return [code, ...(await Promise.all(files))].join('\n');
}

interface Calling {
  readonly code: string;
  readonly libraries: readonly string[];
}

async function sourceOf({ name, wgsl, written }: NonNullable<Dispatch['model']>): Promise<string> {
  if (written) return withLibraries(printStep(written));
  const ours = { path: `simulator/models/${name}`, constants: {}, conditions: {} };
  return wgsl ?? linkShader(ours);
}

/** Compiles a kernel, turning WGSL diagnostics into one readable error. */
async function compile(device: GPUDevice, path: string, source: Source): Promise<BoundPipeline> {
  const { code } = source;
  const entry = entryPoint(path);
  const module = device.createShaderModule({ label: entry, code });
  const { messages } = await module.getCompilationInfo();
  const errors = messages.filter((m) => m.type === 'error');
  if (errors.length > 0) {
    throw new EngineError('shader-invalid', describeErrors(path, source, errors));
  }
  const pipeline = await device.createComputePipelineAsync({
    label: entry,
    layout: 'auto',
    compute: { module, entryPoint: entry },
  });
  return { pipeline, bindings: bindingsIn(code) };
}

/** Linked code, and what follows it from a line on. */
interface Source {
  readonly code: string;
  readonly ownLines: number;
  readonly model: string | undefined;
}

/** Errors by line: of the model's source where all of them lie there, else of the whole. */
function describeErrors(
  path: string,
  { code, ownLines, model }: Source,
  errors: readonly GPUCompilationMessage[],
): string {
  const isOfModel = errors.every(({ lineNum }) => lineNum > ownLines);
  const before = isOfModel ? ownLines : 0;
  const named = isOfModel ? `the WGSL of neuron model ${model}` : `shaders/${path}.wgsl`;
  const lines = errors.map((m) => `  line ${m.lineNum - before}:${m.linePos} ${m.message}`);
  const shown = code.split('\n').slice(before).join('\n');
  return `${named} does not compile\n${lines.join('\n')}\n${numbered(shown)}`;
}

function numbered(code: string): string {
  return code
    .split('\n')
    .map((line, i) => `${String(i + 1).padStart(4)} ${line}`)
    .join('\n');
}
