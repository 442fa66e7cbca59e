import { useCallback, useEffect, useState } from 'react';
import type { Outcome } from '../../../lab/failure.ts';
import type { LabState } from '../../../lab/lab-state.ts';
import type { DiagnosisFacts } from '../../../lab/protocol.ts';
import { pageLab, useLab } from '../lab-store.ts';

type Diagnosed = Outcome<DiagnosisFacts | null> | undefined;

/** The diagnosis of the lab's run: anew after every validation, at its end, and when it is asked for. */
export function useDiagnosis(): readonly [Diagnosed, () => void] {
  const [diagnosed, setDiagnosed] = useState<Diagnosed>();
  const hasSpoken = useLab(isTelling);
  const ask = useCallback(() => void pageLab().diagnose().then(setDiagnosed), []);
  useEffect(() => {
    const { store } = pageLab();
    if (isTelling(store.getState())) ask();
    return store.subscribe((state, before) => {
      const isNew =
        state.validation !== before.validation || state.run.status !== before.run.status;
      if (isNew && isTelling(state)) ask();
    });
  }, [ask]);
  return [hasSpoken ? diagnosed : undefined, ask];
}

/** Whether there is anything to say about a run: it was validated, or is over. */
const isTelling = ({ run, validation }: LabState): boolean =>
  run.status !== 'opening' && (validation !== null || run.status === 'failed');
