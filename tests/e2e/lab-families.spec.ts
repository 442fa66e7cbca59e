import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright/test';
import { ARCHITECTURES, familyDescriptions } from '../../engine/index.ts';
import { expect, test } from './dashboard.ts';
import { chosenFile, familyCases, freshCheckpoint, RUN } from './family-cases.ts';
import { button, figure, inState, load, readout, save, soon, stepOf, trainButton } from './lab.ts';

/** Takes steps one by one, and gives the loss of each, as it is shown. */
async function takeSteps(page: Page, first: number, last: number): Promise<number[]> {
  const losses: number[] = [];
  for (let step = first; step <= last; step++) {
    await button(page, 'One step').click();
    await soon(() => stepOf(page)).toBe(step);
    await inState(page, 'Paused');
    losses.push(await readout(page, 'Loss'));
  }
  return losses;
}

/** Contents of a checkpoint: the digests of its tensors, and its last loss in full precision. */
function contentOf(zip: Buffer) {
  const files = unzipSync(zip);
  const tensors = Object.keys(files).filter((name) => name.endsWith('.safetensors'));
  const digests = tensors.map((name) => [
    name,
    createHash('sha256').update(files[name]!).digest('hex'),
  ]);
  const state: Record<string, unknown> = JSON.parse(
    Buffer.from(files['training_state.json']!).toString(),
  );
  return { ...Object.fromEntries(digests), step: state['step'], loss: state['last_loss'] };
}

/** The family that `npm test` looks at here, beside the language model of lab-files.spec.ts. */
const TYPICAL = 'spiking_vision';

for (const architecture of ARCHITECTURES) {
  const details = architecture === TYPICAL ? {} : { tag: '@full' };
  test(
    `${architecture} trains in the tab, resumes bit for bit and refuses a foreign checkpoint`,
    details,
    async ({ page }) => {
      const { data, fields } = familyCases[architecture];
      const settings = Object.entries({
        ...{ architecture, text: 'file', device: 'wasm', ...fields },
        ...{ batch_size: RUN.batch, learning_rate: RUN.learningRate },
        ...{ seed: RUN.seed, budget: RUN.steps, budget_in: 'steps' },
      });
      await page.goto(
        `/lab?${new URLSearchParams(settings.map(([name, value]) => [name, `${value}`]))}`,
      );
      await page.getByLabel('Choose files').setInputFiles(await chosenFile(data));
      await expect(trainButton(page)).toBeEnabled();

      const [first] = await takeSteps(page, 1, 2);
      expect(first).toBeGreaterThan(0);
      const { isObserved } = familyDescriptions[architecture];
      await expect(figure(page, 'Spikes')).toHaveCount(isObserved ? 1 : 0);
      const half = await save(page);
      const undisturbed = await takeSteps(page, 3, 4);
      const whole = contentOf((await save(page)).bytes);
      expect(whole).not.toEqual(contentOf(half.bytes));

      await load(page, half.bytes);
      await inState(page, 'Checkpoint loaded');
      expect(await takeSteps(page, 3, 4)).toEqual(undisturbed);
      expect(contentOf((await save(page)).bytes)).toEqual(whole);

      const other =
        architecture === 'dense_chronospike' ? 'standard_transformer' : 'dense_chronospike';
      await load(page, await freshCheckpoint(other));
      const refusal = page.getByRole('dialog', { name: 'This checkpoint cannot be loaded' });
      await expect(refusal).toContainText('The checkpoint does not match.');
      await expect(refusal).toContainText(
        new RegExp(`holds a ${other} .* not a ${architecture} one`),
      );
      await refusal.getByRole('button', { name: 'Close' }).last().click();
      expect(await stepOf(page)).toBe(4);
    },
  );
}
