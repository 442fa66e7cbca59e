import { readFileSync } from 'node:fs';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { traceTraining, traceEvaluation } from '../../engine/models/classifier.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { spikingAudioParameters } from '../../engine/models/spiking-audio/parameters.ts';
import { meanCurrents } from '../../engine/models/spiking-audio/forward.ts';
import { keep } from '../../engine/ops/keep.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import { createStepInputs } from '../../engine/ops/step-inputs.ts';
const arg = (n: string, d: string) => (process.argv.find((a) => a.startsWith(`${n}=`)) ?? `${n}=${d}`).split('=')[1]!;
const kind = arg('feat', 'mfcc');
const meta = JSON.parse(readFileSync(`/tmp/s12exp/${kind}.json`, 'utf8'));
const b = readFileSync(`/tmp/s12exp/${kind}.bin`);
const values = new Float32Array(b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength));
const { count, frames, features } = meta;
const one = frames * features;
const ctx = Number(arg('ctx', '0')), cstride = Number(arg('cs','1')), bumps = Number(arg('bumps', '0'));
const bamp = Number(arg('bamp', '1'));
const inF = features * (2 * ctx + 1) + bumps;
const put = (x: Float32Array, at: number, base: number, f: number, masked: (f: number) => boolean, nz: () => number) => { for (let d = -ctx; d <= ctx; d++) { const ff = Math.min(frames - 1, Math.max(0, f + d * cstride)); for (let c = 0; c < features; c++) x[at++] = masked(ff) ? 0 : values[base + ff * features + c]! + nz(); } for (let b = 0; b < bumps; b++) { const z = (f / (frames - 1)) * (bumps - 1) - b; x[at++] = bamp * Math.exp(-z * z) ; } };
const aug = Number(arg('aug', '0')); // number of stretches used
const hidden = Number(arg('hidden', '128')), batch = Number(arg('batch', '32')), lr = Number(arg('lr', '2e-3')), epochs = Number(arg('epochs', '20'));
const beta = Number(arg('beta', '0.9')), wd = Number(arg('wd', '0.01')), noise = Number(arg('noise', '0')), tmask = Number(arg('tmask', '0')), shift = Number(arg('shift', '0'));
const structure = { frames, features: inF, hidden, classes: 10, steps: Number(arg('T', '1')), beta, threshold: 1, surrogate: arg('sg', 'atan') as any };
const speakers = [...new Set(meta.entries.map((e: any) => e.speaker))] as string[];
const folds: [string, number[], number[]][] = [];
const idx = [...Array(count).keys()];
const which = arg('folds', 'all');
if (which !== 'loso') folds.push(['official', idx.filter((i) => meta.entries[i].split === 'train'), idx.filter((i) => meta.entries[i].split === 'test')]);
if (which !== 'official') for (const s of speakers.filter((x) => arg('only', x).split(',').includes(x))) folds.push([s, idx.filter((i) => meta.entries[i].speaker !== s), idx.filter((i) => meta.entries[i].speaker === s)]);
const backend = await openWasmBackend({ threads: 1 });
const layout = layOutParameters(spikingAudioParameters(structure));
const classifier = { structure, layout, inputs: inF, classes: 10, frames, logits: (g: any, x: any) => meanCurrents(g, structure, x), scores: (g: any, l: any) => keep(g, 'scores', l) } as any;
let seed = Number(arg('seed', '1'));
let rs = 12345 + seed; const rnd = () => ((rs = (Math.imul(rs, 1664525) + 1013904223) >>> 0) / 2 ** 32);
const gauss = () => Math.sqrt(-2 * Math.log(rnd() + 1e-12)) * Math.cos(2 * Math.PI * rnd());
const S = meta.stretches.length;
if (kind.startsWith('raw')) { const pw = Number(arg('pw', '1')); const n = count * frames; const mu = Array(features).fill(0), sd = Array(features).fill(0); for (let i = 0; i < n * features; i++) mu[i % features] += values[i]! / n; for (let i = 0; i < n * features; i++) sd[i % features] += (values[i]! - mu[i % features]) ** 2 / n; for (let c = 0; c < features; c++) sd[c] = Math.sqrt(sd[c]) ** pw; let tot = 0; for (let i = 0; i < n * features; i++) tot += ((values[i]! - mu[i % features]) / sd[i % features]) ** 2 / (n * features); tot = Math.sqrt(tot); for (let i = 0; i < values.length; i++) values[i] = (values[i]! - mu[i % features]) / sd[i % features] / tot; }
const results: number[] = [];
for (const [name, train, test] of folds) {
  const tr = traceTraining(classifier, batch, { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 });
  const ev = traceEvaluation(classifier, 50);
  const player = await backend.load(layout, [tr.program, ev.program]);
  for (const p of layout.parameters) player.write(p.value, initialValues(p, seed).map((v) => v * (p.spec.name === 'recurrent.weight' ? Number(arg('rec', '1')) : p.spec.name === 'hidden.weight' ? Number(arg('inp', '1')) : 1)));
  const inputs = createStepInputs({ beta1: 0.9, beta2: 0.999, seed: [1, 2], weightDecay: wd, clipNorm: 1 } as any);
  const x = new Float32Array(frames * batch * inF), y = new Uint32Array(batch);
  const spe = Math.floor(train.length / batch), total = spe * epochs;
  let step = 0; const t0 = performance.now(); let last = 0;
  for (let e = 0; e < epochs; e++) {
    const order = [...train];
    for (let i = order.length - 1; i > 0; i--) { const j = Math.floor(rnd() * (i + 1)); [order[i], order[j]] = [order[j]!, order[i]!]; }
    for (let k = 0; k < spe; k++) {
      for (let r = 0; r < batch; r++) {
        const i = order[k * batch + r]!;
        const s = aug > 0 ? Math.floor(rnd() * Math.min(S, aug)) : 0;
        const base = (s * count + i) * one;
        const m0 = Math.floor(rnd() * frames), m1 = m0 + Math.floor(rnd() * (tmask + 1));
        const sh = Math.floor(rnd() * (2 * shift + 1)) - shift;
        for (let f = 0; f < frames; f++) put(x, (f * batch + r) * inF, base, Math.min(frames - 1, Math.max(0, f + sh)), (g) => g >= m0 && g < m1, noise ? () => noise * gauss() : () => 0);
        y[r] = meta.labels[i];
      }
      inputs.set(step, lr * Math.min(1, (step + 1) / 20) * 0.5 * (1 + Math.cos(Math.PI * step / total)));
      player.write(tr.inputs, x); player.write(tr.targets, y); player.write(tr.clock, inputs.clock); player.write(tr.rates, inputs.rates); player.play(tr.program); step++;
    }
    const h = await player.read(tr.losses); last = h[(step - 1) % h.length]!;
  }
  let right = 0;
  const ex = new Float32Array(frames * 50 * inF);
  for (let k = 0; k < test.length; k += 50) {
    const n = Math.min(50, test.length - k);
    for (let r = 0; r < n; r++) for (let f = 0; f < frames; f++) put(ex, (f * 50 + r) * inF, test[k + r]! * one, f, () => false, () => 0);
    player.write(ev.inputs, ex); player.play(ev.program);
    const sc = await player.read(ev.scores);
    for (let r = 0; r < n; r++) { let best = 0; for (let c = 1; c < 10; c++) if (sc[r * 10 + c]! > sc[r * 10 + best]!) best = c; if (best === meta.labels[test[k + r]!]) right++; }
  }
  results.push(right / test.length);
  console.log(name, (100 * right / test.length).toFixed(1), 'loss', last.toFixed(3), ((performance.now() - t0) / 1000).toFixed(1) + 's');
  player.close();
}
if (which !== 'official') { const l = results.slice(which === 'loso' ? 0 : 1); console.log(process.argv.slice(2).join(' '), 'LOSO', (100 * l.reduce((a, b) => a + b) / l.length).toFixed(2), 'official', which === 'loso' ? '' : (100 * results[0]!).toFixed(2)); }
