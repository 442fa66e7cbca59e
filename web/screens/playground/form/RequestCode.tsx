import { useState } from 'react';
import { useSession } from '../../../app/session.ts';
import { useCopy } from '../../../app/use-copy.ts';
import { Button } from '../../../ui/Button.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import type { Question, Target } from '../exchanges/question.ts';
import css from '../Playground.module.css';
import { usePlaygroundText } from '../playground-text.ts';
import { CODE_KINDS, requestCode, type CodeKind } from './request-code.ts';
import { Note } from '../../../ui/Layout.tsx';

interface RequestCodeProps {
  readonly question: Question;
  readonly target: Target;
}

/** The question as code that asks the same from elsewhere. */
export function RequestCode({ question, target }: RequestCodeProps) {
  const { t } = usePlaygroundText();
  const copy = useCopy();
  const needsKey = useSession()?.kind !== 'local';
  const [kind, setKind] = useState<CodeKind>('curl');
  const code = requestCode(kind, question, { target, origin: location.origin, needsKey });
  return (
    <details className={css['details']}>
      <summary>{t('form.code')}</summary>
      <div className={css['toggles']}>
        <Segmented
          legend={t('form.codeKind')}
          options={CODE_KINDS.map((value) => ({ value, label: t(`form.${value}`) }))}
          value={kind}
          onChange={setKind}
        />
        <Button icon="copy" onClick={() => void copy(code)}>
          {t('form.copyCode', { kind: t(`form.${kind}`) })}
        </Button>
      </div>
      <section
        className={css['code']}
        aria-label={t('form.code')}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
        tabIndex={0}
      >
        <pre lang="en">{code}</pre>
      </section>
      {needsKey && <Note>{t('form.keyHint')}</Note>}
    </details>
  );
}
