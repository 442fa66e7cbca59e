import { Command } from 'commander';
import {
  formatPlan,
  inspectTraining,
  type StoredTraining,
  type Tokenizer,
  unpackTraining,
} from '../../engine/index.ts';
import { findCheckpoint, readCheckpoint } from '../checkpoints/checkpoint-folder.ts';

export function inspectCommand(): Command {
  return new Command('inspect')
    .argument('<dir>', 'a run or a checkpoint')
    .option('--plan', 'print the memory plan of its training step, of any family')
    .option('--json', 'print JSON')
    .action(inspect);
}

async function inspect(dir: string, options: { plan?: boolean; json?: boolean }): Promise<void> {
  const folder = await findCheckpoint(dir);
  const files = await readCheckpoint(folder);
  const stored = unpackTraining(files);
  const { programs, energyGate } = await inspectTraining(stored);
  if (options.json) {
    const { spec, execution, state } = stored;
    console.log(
      JSON.stringify({ folder, parameters: stored.layout.count, spec, execution, state }),
    );
  } else {
    console.log(summary(folder, stored, energyGate));
    for (const [name, bytes] of files) console.log(`  ${name.padEnd(22)} ${bytes.length} bytes`);
  }
  if (options.plan) console.log(programs.map(formatPlan).join('\n'));
}

function summary(folder: string, stored: StoredTraining, gate: string | undefined): string {
  const { spec, layout, tokenizer, execution, state } = stored;
  const { submitted } = execution;
  return [
    `${folder}: ${spec.architecture} (${spec.model_family}), all digests match`,
    `  ${layout.count} parameters: ${structureInWords(spec)}`,
    ...(tokenizer ? [`  ${vocabularyLine(tokenizer)}`] : []),
    `  step ${state.step} of ${JSON.stringify(submitted.budget)}, ${state.seconds.toFixed(1)} s, last loss ${state.last_loss}`,
    `  batch_size ${submitted.batch_size}, learning_rate ${submitted.learning_rate}, seed ${submitted.seed}`,
    ...(gate === undefined ? [] : [`  ${gate}`]),
    `  learned from ${state.data.name}: ${lengthOf(state.data)}, sha256 ${state.data.sha256}`,
  ].join('\n');
}

const SAID_ELSEWHERE: ReadonlySet<string> = new Set([
  'model_spec_version',
  'model_family',
  'architecture',
  'tokenizer',
  'core',
]);

/** The members of a model_spec that make its structure, as `d_model 128, n_heads 4`. */
function structureInWords(spec: StoredTraining['spec']): string {
  return Object.entries({ ...spec, ...spec.core })
    .filter(([name, value]) => !SAID_ELSEWHERE.has(name) && isShown(value))
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(' ') : String(value)}`)
    .join(', ');
}

function isShown(value: unknown): boolean {
  return Array.isArray(value) || typeof value !== 'object';
}

function lengthOf({ characters, examples }: StoredTraining['state']['data']): string {
  return characters === undefined ? `${examples} examples` : `${characters} characters`;
}

function vocabularyLine(tokenizer: Tokenizer): string {
  if (tokenizer.kind === 'bpe') {
    return `${tokenizer.size} tokens of byte-level BPE, ${tokenizer.model.merges.length} merges`;
  }
  const { characters } = tokenizer;
  return `${characters.length} characters: ${JSON.stringify(characters.join('').slice(0, 80))}`;
}
