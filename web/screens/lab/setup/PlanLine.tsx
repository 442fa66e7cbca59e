import { useLabText } from '../lab-text.ts';
import { useLab } from '../the-lab.ts';
import css from './Setup.module.css';

/** What the model needs, before anything is trained. */
export function PlanLine() {
  const { t, format } = useLabText();
  const plan = useLab(({ run, plan: planned }) => {
    if ('run' in run) return run.run.plan;
    return planned.status === 'known' ? planned.plan : null;
  });
  return (
    <output className={css['plan']}>
      {plan
        ? t('setup.needs', {
            parameters: format.integer(plan.parameters),
            memory: format.bytes(plan.memoryBytes),
          })
        : t('setup.needsUnknown')}
    </output>
  );
}
