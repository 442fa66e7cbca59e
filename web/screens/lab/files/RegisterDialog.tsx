import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '../../../lab/failure.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useLabText } from '../lab-text.ts';
import type { DataState, Requests } from '../../../lab/protocol.ts';
import { pageLab, useLab } from '../lab-store.ts';
import { RegisteredNote } from './RegisteredNote.tsx';
import { type Registration, RegisterForm } from './RegisterForm.tsx';
import { suggestId } from './registration.ts';
import { Note } from '../../../ui/Layout.tsx';

type Progress =
  | { readonly status: 'filling'; readonly failure: Failure | null }
  | { readonly status: 'uploading' }
  | { readonly status: 'done'; readonly answer: Requests['register']['answer'] };

/** Asks what the model shall be called, and puts it into the registry. */
export function RegisterDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useLabText();
  const queries = useQueryClient();
  const step = useLab(({ progress, run }) =>
    run.status === 'loaded' ? run.checkpoint.step : (progress?.step ?? 0),
  );
  const [choice, setChoice] = useState(firstChoice);
  const [progress, setProgress] = useState<Progress>({ status: 'filling', failure: null });

  async function register() {
    setProgress({ status: 'uploading' });
    const { description, ...named } = choice;
    const outcome = await pageLab().register({
      ...named,
      ...(description.trim() !== '' && { description: description.trim() }),
    });
    if (!outcome.ok) return setProgress({ status: 'filling', failure: outcome.failure });
    setProgress({ status: 'done', answer: outcome.value });
    await queries.invalidateQueries({ queryKey: ['models'] });
  }

  return (
    <Dialog title={t('files.registerTitle')} onClose={onClose}>
      {progress.status === 'done' ? (
        <RegisteredNote choice={choice} answer={progress.answer} onClose={onClose} />
      ) : (
        <>
          <Note>{t('files.registerNote', { step })}</Note>
          <RegisterForm
            choice={choice}
            state={progress}
            onChange={(change) => setChoice({ ...choice, ...change })}
            onSubmit={() => void register()}
            onClose={onClose}
          />
        </>
      )}
    </Dialog>
  );
}

/** Named after the text it learned from, until somebody knows better. */
function firstChoice(): Registration {
  const { run, data } = pageLab().store.getState();
  const file = run.status === 'loaded' ? run.checkpoint.data.name : nameOf(data);
  const name = file.replace(/\.\w+$/, '');
  return { id: suggestId(name) || 'model', name, version: '1.0.0', description: '' };
}

function nameOf(data: DataState): string {
  return data.status === 'open' ? data.facts.name : 'model';
}
