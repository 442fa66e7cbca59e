import { Link } from 'wouter';
import { buttonClass } from '../../../ui/Button.tsx';
import { useLabForm } from '../fields-context.ts';
import { settingsFrom } from '../lab-fields.ts';
import { useLabText } from '../lab-text.ts';

/** Leads to the form for a new job, filled with the lab's settings. */
export function SendAsJob() {
  const { t } = useLabText();
  const form = useLabForm();
  const { architecture, fields, batch, learningRate, seed } = settingsFrom(form.fields, form.model);
  const request = {
    model_type: architecture,
    ...fields,
    batch_size: batch,
    learning_rate: learningRate,
    seed,
    [form.fields.budget_in]: form.fields.budget,
  };
  return (
    <Link
      href={`/jobs?new=${encodeURIComponent(JSON.stringify(request))}`}
      className={buttonClass('secondary')}
    >
      {t('setup.sendAsJob')}
    </Link>
  );
}
