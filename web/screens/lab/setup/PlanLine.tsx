import { useLabText } from '../lab-text.ts';
import { useLab } from '../the-lab.ts';
import { Note } from '../../../ui/Layout.tsx';

/** What the model needs, before anything is trained. */
export function PlanLine() {
  const { t, format } = useLabText();
  const plan = useLab(({ run, plan: planned }) => {
    if ('run' in run) return run.run.plan;
    return planned.status === 'known' ? planned.plan : null;
  });
  return (
    <Note as="output">
      {plan
        ? t('setup.needs', {
            parameters: format.integer(plan.parameters),
            memory: format.bytes(plan.memoryBytes),
          })
        : t('setup.needsUnknown')}
    </Note>
  );
}
