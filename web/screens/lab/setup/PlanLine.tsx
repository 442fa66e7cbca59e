import { useLabForm } from '../fields-context.ts';
import { useLabText } from '../lab-text.ts';
import { useGpu } from '../notices/use-gpu.ts';
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
    <>
      <output className={css['plan']}>
        {plan
          ? t('setup.needs', {
              parameters: format.integer(plan.parameters),
              memory: format.bytes(plan.memoryBytes),
            })
          : t('setup.needsUnknown')}
      </output>
      <SoftwareNote />
    </>
  );
}

/** Where the browser's GPU is the processor in disguise, it is better known beforehand. */
function SoftwareNote() {
  const { t } = useLabText();
  const { fields } = useLabForm();
  const gpu = useGpu();
  if (gpu?.kind !== 'software' || fields.device === 'reference') return null;
  return (
    <p className={css['plan']}>{t('device.software', { name: gpu.name || t('device.unnamed') })}</p>
  );
}
