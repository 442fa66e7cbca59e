interface LatestListeners<A, R> {
  readonly answered: (answer: R, question: A) => void;
  readonly failed: (error: unknown, question: A) => void;
}

/**
 * Asks one question at a time. Of those that come meanwhile only the newest is asked next: however
 * fast a slider moves, what is shown is never more than one answer behind it.
 */
export function createLatest<A, R>(
  ask: (question: A) => Promise<R>,
  { answered, failed }: LatestListeners<A, R>,
): (question: A) => void {
  let isAsking = false;
  let next: { readonly question: A } | undefined;

  async function begin(question: A): Promise<void> {
    isAsking = true;
    try {
      const answer = await ask(question);
      // An answer that is out of date already is shown too: dragging stays smooth.
      answered(answer, question);
    } catch (error) {
      failed(error, question);
    }
    isAsking = false;
    const waiting = next;
    next = undefined;
    if (waiting) void begin(waiting.question);
  }

  return (question) => {
    if (isAsking) next = { question };
    else void begin(question);
  };
}
