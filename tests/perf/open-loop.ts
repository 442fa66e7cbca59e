import { Agent, request, type RequestOptions } from 'node:http';

export interface Load {
  readonly url: string;
  /** Requests a second, sent whether or not the ones before were answered. */
  readonly rate: number;
  readonly seconds: number;
  /** Options of the n-th request that differ from a plain GET. */
  readonly ask?: (n: number) => RequestOptions & { readonly body?: string };
}

export interface Answered {
  /** From when the request was due, so that a stall counts for all that wait behind it. */
  readonly ms: number;
  /** 0 where no answer came. */
  readonly status: number;
  readonly text: string;
}

/** Sends requests at a steady rate and waits for all of their answers. */
export async function sendSteadily({ url, rate, seconds, ask }: Load): Promise<Answered[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const total = Math.round(rate * seconds);
  const answers: Promise<Answered>[] = [];
  const started = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - started) * rate) / 1000) + 1);
      while (answers.length < due) {
        const n = answers.length;
        answers.push(send(url, { ...ask?.(n), agent }, started + (n * 1000) / rate));
      }
      if (answers.length < total) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  const answered = await Promise.all(answers);
  agent.destroy();
  return answered;
}

function send(
  url: string,
  { body, ...options }: RequestOptions & { readonly body?: string },
  dueAt: number,
): Promise<Answered> {
  return new Promise((resolve) => {
    const end = (status: number, text: string) =>
      resolve({ ms: performance.now() - dueAt, status, text });
    const asked = request(url, options, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => end(answer.statusCode ?? 0, text));
      answer.on('error', (error) => end(0, error.message));
    });
    asked.on('error', (error) => end(0, error.message));
    asked.end(body);
  });
}

/** A share of the values lies at or below this one. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
