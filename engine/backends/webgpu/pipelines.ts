import { EngineError } from '../../errors.ts';
import type { Dispatch } from './dispatch.ts';
import { entryPoint, linkShader } from './link-shader.ts';

/** Compiles shader variants once: two calls of the same text share a pipeline. */
export interface PipelineCache {
  get(dispatch: Dispatch): Promise<GPUComputePipeline>;
}

export function createPipelineCache(device: GPUDevice): PipelineCache {
  const compiled = new Map<string, Promise<GPUComputePipeline>>();
  return {
    async get(dispatch) {
      const code = await linkShader(dispatch);
      const known = compiled.get(code);
      if (known) return known;
      const pipeline = compile(device, dispatch.path, code);
      compiled.set(code, pipeline);
      return pipeline;
    },
  };
}

/** Compiles a kernel, turning WGSL diagnostics into one readable error. */
async function compile(device: GPUDevice, path: string, code: string): Promise<GPUComputePipeline> {
  const entry = entryPoint(path);
  const module = device.createShaderModule({ label: entry, code });
  const { messages } = await module.getCompilationInfo();
  const errors = messages.filter((m) => m.type === 'error');
  if (errors.length > 0) {
    const lines = errors.map((m) => `  line ${m.lineNum}:${m.linePos} ${m.message}`);
    throw new EngineError(
      'shader-invalid',
      `shaders/${path}.wgsl does not compile\n${lines.join('\n')}\n${numbered(code)}`,
    );
  }
  return device.createComputePipelineAsync({
    label: entry,
    layout: 'auto',
    compute: { module, entryPoint: entry },
  });
}

function numbered(code: string): string {
  return code
    .split('\n')
    .map((line, i) => `${String(i + 1).padStart(4)} ${line}`)
    .join('\n');
}
