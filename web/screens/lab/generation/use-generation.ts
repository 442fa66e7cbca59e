import { checkpointStepOf } from '../../../lab/lab-state.ts';
import type { Writer } from '../../../lab/protocol.ts';
import { useLabForm } from '../fields-context.ts';
import { pageLab, useLab } from '../lab-store.ts';
import { useCallback } from 'react';

/** Available controls of text generation. */
export interface GenerationControls {
  readonly canWrite: boolean;
  readonly isGenerating: boolean;
  write(): void;
  stop(): void;
}

export function useGeneration(): GenerationControls {
  const { fields } = useLabForm();
  const writer = useWriter();
  const isGenerating = useLab(({ writing }) => writing.status === 'writing');
  const canWrite = writer !== null && !isGenerating;
  return {
    canWrite,
    isGenerating,
    write: useCallback(() => {
      if (!writer || !canWrite) return;
      pageLab().write({
        writer,
        device: fields.device,
        prompt: fields.prompt,
        tokens: fields.tokens,
        temperature: fields.temperature,
        topK: fields.sample_top_k,
        topP: fields.top_p,
        seed: fields.sample_seed,
      });
    }, [writer, canWrite, fields]),
    stop: useCallback(() => pageLab().stopGeneration(), []),
  };
}

/** The model that generates; null where there is none yet. */
function useWriter(): Writer | null {
  const { fields } = useLabForm();
  const isInLab = useLab(({ run }) => run.status === 'training' || checkpointStepOf(run) !== null);
  if (fields.model === '') return isInLab ? { kind: 'lab' } : null;
  return registeredFrom(fields.model);
}

/** Reads `id@version`; null for anything else. */
function registeredFrom(model: string): Extract<Writer, { kind: 'registered' }> | null {
  const at = model.lastIndexOf('@');
  const [modelId, version] = [model.slice(0, at), model.slice(at + 1)];
  return at > 0 && version !== '' ? { kind: 'registered', modelId, version } : null;
}
