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
    .description('Show what a checkpoint holds, after checking every digest.')
    .argument('<dir>', 'a run or a checkpoint')
    .option('--plan', 'print the memory plan of its training step')
    .option('--json', 'print JSON')
    .action(inspect);
}

async function inspect(dir: string, options: { plan?: boolean; json?: boolean }): Promise<void> {
  const folder = await findCheckpoint(dir);
  const files = await readCheckpoint(folder);
  const stored = unpackTraining(files);
  if (options.json) {
    const { spec, execution, state } = stored;
    console.log(
      JSON.stringify({ folder, parameters: stored.layout.count, spec, execution, state }),
    );
  } else {
    console.log(summary(folder, stored));
    for (const [name, bytes] of files) console.log(`  ${name.padEnd(22)} ${bytes.length} bytes`);
  }
  if (options.plan) console.log(formatPlan(inspectTraining(stored)));
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
    .filter(([name]) => !SAID_ELSEWHERE.has(name))
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(' ') : value}`)
    .join(', ');
}

function summary(
  folder: string,
  { spec, layout, tokenizer, execution, state }: StoredTraining,
): string {
  const { submitted } = execution;
  return [
    `${folder}: ${spec.architecture} (${spec.model_family}), all digests match`,
    `  ${layout.count} parameters: ${structureInWords(spec)}`,
    `  ${vocabularyLine(tokenizer)}`,
    `  step ${state.step} of ${JSON.stringify(submitted.budget)}, ${state.seconds.toFixed(1)} s, last loss ${state.last_loss}`,
    `  seq_len ${submitted.seq_len}, batch_size ${submitted.batch_size}, learning_rate ${submitted.learning_rate}, seed ${submitted.seed}`,
    `  learned from ${state.data.name}: ${state.data.characters} characters, sha256 ${state.data.sha256}`,
  ].join('\n');
}

function vocabularyLine(tokenizer: Tokenizer): string {
  if (tokenizer.kind === 'bpe') {
    return `${tokenizer.size} tokens of byte-level BPE, ${tokenizer.model.merges.length} merges`;
  }
  const { characters } = tokenizer;
  return `${characters.length} characters: ${JSON.stringify(characters.join('').slice(0, 80))}`;
}
