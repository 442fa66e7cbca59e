import { useCallback } from 'react';
import { useLabForm } from '../fields-context.ts';
import { theLab, useLab } from '../the-lab.ts';
import { useWriter } from './use-writer.ts';

/** What can be done about writing now. */
export interface WritingControls {
  readonly canWrite: boolean;
  readonly isWriting: boolean;
  write(): void;
  stop(): void;
}

export function useWriting(): WritingControls {
  const { fields } = useLabForm();
  const writer = useWriter();
  const isWriting = useLab(({ writing }) => writing.status === 'writing');
  const canWrite = writer !== null && !isWriting;
  return {
    canWrite,
    isWriting,
    write: useCallback(() => {
      if (!writer || !canWrite) return;
      theLab().write({
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
    stop: useCallback(() => theLab().stopWriting(), []),
  };
}
