import { Link } from 'wouter';
import { buttonClass } from '../../../ui/Button.tsx';
import { useLabForm } from '../fields-context.ts';
import { readingFrom } from '../lab-fields.ts';
import { useLabText } from '../lab-text.ts';

/** Leads to the form for a new job, filled with the lab's settings. */
export function SendAsJob() {
  const { t } = useLabText();
  const { fields } = useLabForm();
  const { d_model, heads, blocks, time_steps, seq_len, batch_size, learning_rate, seed } = fields;
  const request = {
    d_model,
    n_heads: heads,
    num_blocks: blocks,
    time_steps,
    seq_len,
    batch_size,
    learning_rate,
    seed,
    ...readingFrom(fields),
    [fields.budget_in]: fields.budget,
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
