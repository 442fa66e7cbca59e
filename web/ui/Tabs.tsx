import { type KeyboardEvent, type ReactNode, useId } from 'react';
import css from './Tabs.module.css';

interface Tab<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly content: ReactNode;
}

interface TabsProps<T extends string> {
  /** Subject of the tabs; read by screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** Parts of one thing, one in sight at a time: the arrow keys go from one to the next, as ARIA has it. */
export function Tabs<T extends string>({ label, tabs, value, onChange }: TabsProps<T>) {
  const id = useId();
  const chosen = tabs.find((tab) => tab.value === value) ?? tabs[0];

  function goByKey(event: KeyboardEvent) {
    const next = indexAfter(
      event.key,
      tabs.findIndex((tab) => tab === chosen),
      tabs.length,
    );
    const tab = next === undefined ? undefined : tabs[next];
    if (!tab) return;
    event.preventDefault();
    onChange(tab.value);
    document.getElementById(`${id}-${tab.value}`)?.focus();
  }

  return (
    <div>
      <div role="tablist" className={css['list']} aria-label={label}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            id={`${id}-${tab.value}`}
            type="button"
            role="tab"
            className={css['tab']}
            aria-selected={tab === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={goByKey}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {chosen && (
        <div
          key={chosen.value}
          id={`${id}-panel`}
          role="tabpanel"
          className={css['content']}
          aria-labelledby={`${id}-${chosen.value}`}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- some hold nothing that takes the focus
          tabIndex={0}
        >
          {chosen.content}
        </div>
      )}
    </div>
  );
}

/** Which tab a key leads to; undefined for every other key. */
function indexAfter(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (index + 1) % count;
    case 'ArrowLeft':
      return (index + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
