import { Link } from 'wouter';
import type { Requests } from '../../../lab/protocol.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button, buttonClass } from '../../../ui/Button.tsx';
import { useLabText } from '../lab-text.ts';
import type { Registration } from './RegisterForm.tsx';
import { Note, Row } from '../../../ui/Layout.tsx';

interface RegisteredNoteProps {
  readonly choice: Registration;
  readonly answer: Requests['register']['answer'];
  readonly onClose: () => void;
}

/** The model is in the registry: where it can be found. */
export function RegisteredNote({ choice, answer, onClose }: RegisteredNoteProps) {
  const { t } = useLabText();
  const { outcome, withheld } = answer;
  const { id, name, version } = choice;
  const key = outcome === 'created' ? 'files.registered' : 'files.registeredSame';
  return (
    <>
      <output>
        <Badge tone="good" wraps>
          {t(key, { name, version })}
        </Badge>
      </output>
      {withheld.length > 0 && <Note>{t('files.withheld', { files: withheld.join(', ') })}</Note>}
      <Row align="stretch" justify="flex-end">
        <Button onClick={onClose}>{t('files.done')}</Button>
        <Link
          href={`/models/${encodeURIComponent(id)}?version=${encodeURIComponent(version)}`}
          className={buttonClass('primary')}
        >
          {t('files.openModel')}
        </Link>
      </Row>
    </>
  );
}
