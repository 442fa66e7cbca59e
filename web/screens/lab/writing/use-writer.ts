import type { Writer } from '../../../lab/protocol.ts';
import { checkpointStepOf } from '../../../lab/lab-state.ts';
import { useLabForm } from '../fields-context.ts';
import { useLab } from '../the-lab.ts';

/** The model that is asked to write; null where there is none yet. */
export function useWriter(): Writer | null {
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
