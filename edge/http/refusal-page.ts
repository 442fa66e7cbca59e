import { type Occurrence, problemDocument, problemOf } from '../contract/refusal.ts';

/** Texts of the page for unauthenticated browsers, with ways to sign in. */
const WORDS = {
  en: {
    title: 'Credentials are needed here',
    ways: [
      'In a browser: open the dashboard of the platform and sign in with a key.',
      'In a program: send the key with the request.',
      'On the machine that the platform runs on, where it was started with --auth local: open it by a name that only this machine has, such as http://127.0.0.1:8000, directly and through no proxy. A page of another site cannot come in this way.',
    ],
    trace: 'Trace',
  },
  ja: {
    title: '認証情報が必要です',
    ways: [
      'ブラウザー: プラットフォームのダッシュボードを開き、キーでサインインしてください。',
      'プログラム: 要求と一緒にキーを送ってください。',
      'プラットフォームが --auth local で動いているマシン自身: http://127.0.0.1:8000 のように、そのマシンだけが持つ名前で、プロキシを通さず直接開いてください。他のサイトのページからは入れません。',
    ],
    trace: 'トレース',
  },
} as const;

/** Refusals about the caller rather than the request. */
const SHOWN: readonly string[] = ['unauthenticated', 'origin_not_allowed'];

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";
const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}li{margin:.5rem 0}code{overflow-wrap:anywhere}';

/** The page for unauthenticated browsers; undefined for other clients and refusals. */
export function refusalPage(
  error: unknown,
  { method, headers, url }: Request,
  occurrence: Occurrence,
): Response | undefined {
  const problem = problemOf(error);
  const isPage = ['GET', 'HEAD'].includes(method) && headers.get('accept')?.includes('text/html');
  if (!isPage || !SHOWN.includes(problem.code)) return undefined;
  const { status, detail } = problemDocument(problem, occurrence);
  const language = languageOf(headers.get('accept-language') ?? '');
  const { title, ways, trace } = WORDS[language];
  const [browser, program, machine] = ways.map(escaped);
  // In quotes that a shell looks for nothing in.
  const address = url.slice(0, 500).replaceAll("'", '%27');
  const example = `curl -H "Authorization: Bearer $SPIKEGRID_KEY" '${address}'`;
  const html = `<!doctype html>
<html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · spikegrid</title><style>${STYLE}</style>
<h1>${title}</h1>
<p lang="en">${escaped(detail)}</p>
<ul><li>${browser}</li><li>${program}<br><code>${escaped(example)}</code></li><li>${machine}</li></ul>
<p><small>${trace}: <code>${escaped(occurrence.traceId)}</code></small></p>
</html>
`;
  return new Response(html, {
    status,
    headers: {
      ...problem.extras.headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      vary: 'accept, accept-language',
    },
  });
}

/** The one of ours that is asked for first. */
const languageOf = (accepted: string): 'en' | 'ja' =>
  /(?:^|,)\s*(en|ja)\b/i.exec(accepted)?.[1]?.toLowerCase() === 'ja' ? 'ja' : 'en';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (c) => ESCAPES[c] ?? c);
