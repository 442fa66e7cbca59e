import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as z from 'zod/mini';
import { NumberField } from '../../web/ui/NumberField.tsx';
import type { NumberRule } from '../../web/ui/number-input.ts';
import { ProgressBar } from '../../web/ui/ProgressBar.tsx';
import { SchemaField, useSchemaForm } from '../../web/ui/SchemaField.tsx';
import { TextAreaField } from '../../web/ui/TextAreaField.tsx';
import { expectAccessible, render } from './render.tsx';

interface HeldNumberProps {
  readonly label: string;
  readonly initial: number;
  readonly rule: NumberRule;
  readonly step: number;
  readonly onHeld: (value: number) => void;
}

function HeldNumber({ label, initial, rule, step, onHeld }: HeldNumberProps) {
  const [value, setValue] = useState(initial);
  const change = (to: number) => {
    setValue(to);
    onHeld(to);
  };
  const field = { label, rule, step, value, onChange: change };
  return <NumberField {...field} hint="How often all data are seen" />;
}

const EPOCHS = { kind: 'integer', min: 1, max: 100 } as const;
const RATE = { kind: 'decimal', min: 0, max: 1 } as const;

describe('a number field', () => {
  it('passes on what its rule allows, and says what it expected otherwise', async () => {
    const held = vi.fn<(value: number) => void>();
    render(<HeldNumber label="Epochs" initial={3} rule={EPOCHS} step={1} onHeld={held} />);
    const field = page.getByRole('textbox', { name: 'Epochs' });
    await expect.element(field).toHaveAccessibleDescription('How often all data are seen');

    await field.fill('１２');
    expect(held).toHaveBeenLastCalledWith(12);

    await field.fill('1000');
    await expect.element(field).toHaveAttribute('aria-invalid', 'true');
    await expect
      .element(field)
      .toHaveAccessibleDescription(/Enter a whole number from 1 to 100\.$/);
    expect(held).toHaveBeenLastCalledWith(12);
    await expectAccessible();
    // The typed text stays in the field so that it can be corrected.
    await userEvent.tab();
    await expect.element(field).toHaveValue('1000');
  });

  it('steps with the arrow keys, without the dust of binary fractions', async () => {
    const held = vi.fn<(value: number) => void>();
    render(<HeldNumber label="Rate" initial={0.001} rule={RATE} step={0.001} onHeld={held} />);
    await page.getByRole('textbox', { name: 'Rate' }).click();
    await userEvent.keyboard('{ArrowUp>3/}');
    expect(held).toHaveBeenLastCalledWith(0.004);

    await userEvent.keyboard('{ArrowDown>9/}');
    expect(held).toHaveBeenLastCalledWith(0);
  });
});

function HeldNote() {
  const [note, setNote] = useState('');
  return <TextAreaField label="Note" maxLength={10} value={note} onChange={setNote} />;
}

it('a text area holds no more than it may', async () => {
  render(<HeldNote />);
  const field = page.getByRole('textbox', { name: 'Note' });
  await field.click();
  await userEvent.keyboard('twelve chars');

  await expect.element(field).toHaveValue('twelve cha');
});

it('a progress bar says how far it is, in numbers and in words', async () => {
  render(<ProgressBar label="Training" fraction={0.3} valueText="step 120 of 400" />);
  const bar = page.getByRole('progressbar', { name: 'Training' });

  await expect.element(bar).toHaveAttribute('value', '0.3');
  await expect.element(bar).toHaveAttribute('aria-valuetext', 'step 120 of 400');
});

const Alarm = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(8)),
  limit: z.optional(z.int().check(z.gte(1), z.lte(9))),
  severity: z.enum(['warning', 'critical']),
});

type Alarm = z.output<typeof Alarm>;

function AlarmForm({ onSend }: { readonly onSend: (alarm: Alarm) => void }) {
  const form = useSchemaForm(Alarm, { severity: 'warning' });
  return (
    <>
      <SchemaField {...form.field('name')} label="Name" expected="Enter a name." />
      <SchemaField {...form.field('limit')} label="Limit" expected="From 1 to 9." />
      <SchemaField {...form.field('severity')} label="Severity" />
      <button type="button" onClick={() => form.submit(onSend)}>
        Send
      </button>
    </>
  );
}

describe('a form made from a schema', () => {
  it('takes the kind and the limits of its fields from it', async () => {
    render(<AlarmForm onSend={vi.fn<(alarm: Alarm) => void>()} />);
    await expect.element(page.getByLabelText('Name')).toHaveAttribute('maxlength', '8');
    const options = page.getByLabelText('Severity').getByRole('option').elements();
    expect(options.map((option) => option.textContent)).toEqual(['warning', 'critical']);

    await page.getByLabelText('Limit').fill('12');
    await expect.element(page.getByLabelText('Limit')).toHaveAccessibleDescription('From 1 to 9.');
  });

  it('sends what the schema accepts, and marks what is missing only once it is sent', async () => {
    const sent = vi.fn<(alarm: Alarm) => void>();
    render(<AlarmForm onSend={sent} />);
    const name = page.getByLabelText('Name');
    await expect.element(name).not.toHaveAttribute('aria-invalid');

    await page.getByRole('button', { name: 'Send' }).click();
    await expect.element(name).toHaveAccessibleDescription('Enter a name.');
    expect(sent).not.toHaveBeenCalled();

    await name.fill('cpu');
    await page.getByLabelText('Limit').fill('5');
    await page.getByRole('button', { name: 'Send' }).click();
    expect(sent).toHaveBeenCalledExactlyOnceWith({ name: 'cpu', limit: 5, severity: 'warning' });
  });
});
