import type { PreviewInput } from './contract/alert-preview.ts';
import type { PreviewRange } from './preview.ts';
import { invalid } from './rule-request.ts';

const MAX_STEPS = 1000;
const USUAL_STEPS = 240;
const HOUR_MS = 3_600_000;

/** The times a preview looks at, on whole steps. @throws Problem validation_failed */
export function previewRange(asked: PreviewInput, now: number): PreviewRange {
  const to = asked.to === undefined ? now : Date.parse(asked.to);
  const from = asked.from === undefined ? to - HOUR_MS : Date.parse(asked.from);
  if (from >= to) throw invalid('/from', `expected a time before ${new Date(to).toISOString()}`);
  const usual = Math.max(15, Math.ceil((to - from) / USUAL_STEPS / 1000));
  const stepMs = (asked.step_s ?? usual) * 1000;
  if ((to - from) / stepMs > MAX_STEPS) {
    throw invalid('/step_s', `expected at most ${MAX_STEPS} steps from "from" to "to"`);
  }
  return { from: Math.ceil(from / stepMs) * stepMs, to, stepMs };
}
