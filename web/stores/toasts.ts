import { createStore } from 'zustand/vanilla';

type ToastTone = 'neutral' | 'good' | 'bad';

interface Toast {
  readonly id: number;
  readonly tone: ToastTone;
  readonly text: string;
}

/** How long a toast stays. Nothing that needs an answer is ever said in a toast. */
export const TOAST_MS = 6_000;

/** At most this many at once: an older one leaves early. */
const MOST = 3;

/** Short messages that come and go, read aloud politely. */
export function createToasts() {
  const store = createStore<readonly Toast[]>(() => []);
  let nextId = 1;

  const dismiss = (id: number) =>
    store.setState(
      store.getState().filter((toast) => toast.id !== id),
      true,
    );

  return {
    store,
    dismiss,
    show(text: string, tone: ToastTone = 'neutral') {
      const id = nextId++;
      store.setState([...store.getState(), { id, tone, text }].slice(-MOST), true);
      setTimeout(() => dismiss(id), TOAST_MS);
    },
  };
}

export type Toasts = ReturnType<typeof createToasts>;
