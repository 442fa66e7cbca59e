/** For answers that are data: nothing in them may run or be framed. */
const DATA_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const PAGE_POLICY = [
  "default-src 'self'",
  // WebAssembly is compiled in the page and in its workers.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  // The build inlines small images; pictures drawn in the page are blobs.
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Policy of a worker that runs untrusted code: computation without network. */
const SANDBOX_POLICY = "default-src 'none'; script-src 'self' blob:";

/**
 * For the dashboard's pages, scripts and workers. The two cross-origin headers isolate the tab,
 * which unlocks SharedArrayBuffer: threads for WebAssembly.
 */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...DATA_HEADERS,
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/**
 * Adds missing headers to a data response. A response not declared
 * cacheable is private: with an ETag it may be stored and revalidated.
 */
export function secureData(headers: Headers): void {
  if (!headers.has('cache-control')) {
    headers.set('cache-control', headers.has('etag') ? 'private, no-cache' : 'no-store');
  }
  for (const [name, value] of Object.entries(DATA_HEADERS)) {
    if (!headers.has(name)) headers.set(name, value);
  }
}

export function securePage(headers: Headers): void {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) headers.set(name, value);
}

/** A worker takes its policy from the answer that its script came with. */
export function secureSandbox(headers: Headers): void {
  securePage(headers);
  headers.set('content-security-policy', SANDBOX_POLICY);
}
