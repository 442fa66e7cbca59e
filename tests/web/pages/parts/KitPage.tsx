import { useState } from 'react';
import { Button } from '../../../../web/ui/Button.tsx';
import { Dialog } from '../../../../web/ui/Dialog.tsx';
import { NumberField } from '../../../../web/ui/NumberField.tsx';
import { ProgressBar } from '../../../../web/ui/ProgressBar.tsx';
import { TextAreaField } from '../../../../web/ui/TextAreaField.tsx';

/** The controls that no screen of the shell uses yet. What they hold is written beside them. */
export function KitPage() {
  const [epochs, setEpochs] = useState(3);
  const [rate, setRate] = useState(0.001);
  const [note, setNote] = useState('');
  const [dialog, setDialog] = useState<'open' | 'closed'>('closed');
  return (
    <>
      <h1>Kit</h1>
      <NumberField
        label="Epochs"
        hint="How often all data are seen"
        value={epochs}
        rule={{ kind: 'integer', min: 1, max: 100 }}
        step={1}
        onChange={setEpochs}
      />
      <NumberField
        label="Learning rate"
        value={rate}
        rule={{ kind: 'decimal', min: 0, max: 1 }}
        step={0.001}
        onChange={setRate}
      />
      <TextAreaField label="Note" maxLength={10} value={note} onChange={setNote} />
      <p data-testid="held">{JSON.stringify({ epochs, rate, note })}</p>
      <ProgressBar label="Training" fraction={0.3} valueText="step 120 of 400" />
      <Button tone="danger" onClick={() => setDialog('open')}>
        Delete
      </Button>
      {dialog === 'open' && (
        <Dialog title="Delete it?" onClose={() => setDialog('closed')}>
          <p>It cannot be brought back.</p>
        </Dialog>
      )}
    </>
  );
}
