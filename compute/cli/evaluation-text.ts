import type {
  ClassificationSection,
  EnergySection,
  EvaluationReport,
  LanguageSection,
  RetrievalSection,
  SpikesSection,
  StreamsSection,
  Unit,
} from '../../engine/index.ts';

/** Classes of the largest matrix that is printed. */
const MAX_CLASSES = 20;
const INDENT = 13;

/** A report for people: a line or a few for each section, none for what was not measured. */
export function formatReport(report: EvaluationReport): string {
  const { unit, language, classification, retrieval, streams, spikes, energy } = report;
  return [
    ...headLines(report),
    ...(language ? languageLines(language) : []),
    ...(classification ? classificationLines(classification) : []),
    ...(retrieval ? retrievalLines(retrieval) : []),
    ...(streams ? streamLines(streams) : []),
    ...(spikes ? spikeLines(spikes, unit) : []),
    ...(spikes && energy ? energyLines(energy, spikes, unit) : []),
    ...(energy?.macs === undefined ? [] : floatLines(energy, energy.macs, unit)),
    ...costLines(report),
  ].join('\n');
}

const number = new Intl.NumberFormat('en').format;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const one = (unit: Unit) => `${unit === 'image' ? 'an' : 'a'} ${unit}`;
const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const line = (title: string, text: string) => `${title.padEnd(INDENT)}${text}`;

function headLines({ model, data, status, done, total, unit, device }: EvaluationReport): string[] {
  const { unknown_characters: left } = data;
  const unknown =
    left === undefined
      ? []
      : [
          line(
            '',
            `${number(left)} character${left === 1 ? '' : 's'} that the model does not know ${left === 1 ? 'was' : 'were'} left out and count${left === 1 ? 's' : ''} in no figure`,
          ),
        ];
  const partial =
    status === 'partial'
      ? [line('', `interrupted: the first ${number(done)} of ${number(total)}`)]
      : [];
  return [
    line('model', `${model.name} (${model.architecture}, ${number(model.parameters)} parameters)`),
    line(
      'data',
      `${data.name}, ${data.split}: ${number(data.end - data.first)} of ${number(data.length)} ${unit}s`,
    ),
    ...unknown,
    ...partial,
    line('device', device),
  ];
}

function languageLines(language: LanguageSection): string[] {
  const { form, rows, window, interval, calibration } = language;
  const parts = rows === 1 ? 'in one stream' : `in ${rows} streams`;
  const how =
    form === 'stream' ? `${parts} with carried state` : `in windows of ${window} without context`;
  return [
    line(
      'text',
      `${number(language.tokens)} tokens, ${number(language.characters)} characters, ${number(language.bytes)} bytes, ${how}`,
    ),
    line(
      'loss',
      `${language.nats_per_character.toFixed(4)} nats a character, 95 % interval ${interval.low.toFixed(4)} to ${interval.high.toFixed(4)}`,
    ),
    line('', `${language.bits_per_character.toFixed(4)} bits a character`),
    line(
      '',
      `${language.nats_per_byte.toFixed(4)} nats a byte, ${language.bits_per_byte.toFixed(4)} bits a byte`,
    ),
    line(
      'perplexity',
      `${language.perplexity.toFixed(3)} a token; ${percent(language.accuracy)} of tokens were the likeliest; calibration error ${percent(calibration.expected_error)}`,
    ),
  ];
}

function classificationLines(section: ClassificationSection): string[] {
  const { count, accuracy, interval, labels } = section;
  const matrix = labels.length > MAX_CLASSES ? [] : matrixLines(section);
  return [
    line(
      'accuracy',
      `${percent(accuracy)} of ${number(count)}, 95 % interval ${percent(interval.low)} to ${percent(interval.high)}`,
    ),
    line(
      '',
      `balanced ${percent(section.balanced_accuracy)}, macro F1 ${section.macro_f1.toFixed(3)}, calibration error ${percent(section.calibration.expected_error)}`,
    ),
    ...matrix,
  ];
}

/** Truths in rows, answers in columns, with the recall of each row. */
function matrixLines({ labels, matrix, classes }: ClassificationSection): string[] {
  const width =
    1 + Math.max(...labels.map(({ length }) => length), ...matrix.flat().map((n) => `${n}`.length));
  const row = (title: string, cells: readonly (string | number)[], recall: string) =>
    line(
      '',
      `${title.padEnd(width)}${cells.map((cell) => `${cell}`.padStart(width)).join('')}  ${recall}`,
    );
  return [
    row('', labels, 'recall'),
    ...matrix.map((cells, truth) => {
      const recall = classes[truth]?.recall ?? null;
      return row(labels[truth] ?? '', cells, recall === null ? '–' : percent(recall));
    }),
  ];
}

function retrievalLines({ pairs, pictures, captions, ...nats }: RetrievalSection): string[] {
  const ranks = ({ recall_at, median_rank }: RetrievalSection['pictures']) =>
    `${Object.entries(recall_at)
      .map(([k, share]) => `${percent(share)} among the first ${k}`)
      .join(', ')}; median rank ${median_rank}`;
  return [
    line('retrieval', `of ${pairs} pairs; by chance ${percent(1 / pairs)}`),
    line('', `pictures for captions: ${ranks(pictures)}`),
    line('', `captions for pictures: ${ranks(captions)}`),
    line(
      '',
      `${nats.matched_nats.toFixed(4)} nats a token with the right picture, ${nats.shuffled_nats.toFixed(4)} with others: ` +
        `${nats.gain.value.toFixed(4)} less, 95 % interval ${nats.gain.low.toFixed(4)} to ${nats.gain.high.toFixed(4)}`,
    ),
  ];
}

type Costs = Pick<StreamsSection, 'tokens' | 'nats_per_token' | 'unigram_nats_per_token'>;

const costsText = ({ tokens, nats_per_token, unigram_nats_per_token }: Costs) =>
  `${nats_per_token.toFixed(4)} nats a token over ${number(tokens)}; token frequencies alone ${unigram_nats_per_token.toFixed(4)}`;

function streamLines({ parts, ...all }: StreamsSection): string[] {
  return [
    line('streams', costsText(all)),
    ...parts.map((part) => line('', `${part.modality}: ${costsText(part)}`)),
    line(
      'class',
      `known of ${percent(all.class_accuracy)}; the commonest is that of ${percent(all.class_majority)}`,
    ),
  ];
}

function spikeLines({ per_unit, rate, neurons, time_steps }: SpikesSection, unit: Unit): string[] {
  return [
    line(
      'spikes',
      `${number(Math.round(per_unit))} ${one(unit)} of ${number(neurons)} neurons in ${time_steps} time step${time_steps === 1 ? '' : 's'}: ${percent(rate)} firing`,
    ),
  ];
}

const nanojoules = (pj: number) => `${number(Math.round(pj / 1000))} nJ`;

/** Three figures, never one (decision A15). */
function energyLines(energy: EnergySection, spikes: SpikesSection, unit: Unit) {
  const figure = (what: string, own: string, dense: string) =>
    line('', `${what.padEnd(24)}${own.padStart(14)}${dense.padStart(20)}`);
  return [
    line('energy', `${one(unit)}, beside a dense network of the same size`),
    figure(
      'synaptic operations',
      number(Math.round(energy.synaptic_ops)),
      `${number(Math.round(spikes.dense_macs_per_unit))} MAC`,
    ),
    figure(
      '4.6 pJ MAC, 0.9 pJ AC',
      nanojoules(energy.compute_pj),
      nanojoules(energy.dense_compute_pj),
    ),
    figure(
      'with memory traffic',
      nanojoules(energy.with_memory_pj),
      nanojoules(energy.dense_with_memory_pj),
    ),
    ...(energy.break_even_rate === null
      ? []
      : [line('', breakEvenSentence(spikes, energy.break_even_rate))]),
  ];
}

/** Where the rate that was measured lies beside the one below which spikes pay. */
function breakEvenSentence(
  { rate, time_steps, frames = 1 }: SpikesSection,
  breakEven: number,
): string {
  const steps = time_steps / frames;
  const counted = `${number(steps)} time step${steps === 1 ? '' : 's'}`;
  const where = rate < breakEven ? 'below' : 'above';
  return (
    `Once memory counts, spiking pays only below a firing rate of ${percent(breakEven)}, before leaks ` +
    `and decays (${counted}; roughly 6 % for six). This model fires at ${percent(rate)}, ${where} it.`
  );
}

/** The same three figures of a network of numbers. */
function floatLines(energy: EnergySection, macs: number, unit: Unit): string[] {
  const figure = (what: string, amount: string) =>
    line('', `${what.padEnd(24)}${amount.padStart(34)}`);
  return [
    line('energy', `${one(unit)}; no neuron fires, each weight is a product`),
    figure('products', `${number(Math.round(macs))} MAC`),
    figure('4.6 pJ MAC', nanojoules(energy.compute_pj)),
    figure('with memory traffic', nanojoules(energy.with_memory_pj)),
  ];
}

function costLines({ speed, memory, unit }: EvaluationReport): string[] {
  const peak =
    memory.process_peak === null ? '' : `; process at its peak ${mib(memory.process_peak)}`;
  return [
    line(
      'speed',
      `${number(Math.round(speed.units_per_second))} ${unit}s a second, ${speed.seconds.toFixed(1)} s`,
    ),
    line(
      'memory',
      `parameters ${mib(memory.parameters)}, arena ${mib(memory.arena)}, lasting ${mib(memory.lasting)}${peak}`,
    ),
  ];
}
