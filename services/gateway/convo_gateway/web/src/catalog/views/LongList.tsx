import { TextInput } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactNode, useDeferredValue, useMemo, useRef, useState } from "react";
import { count } from "../../format";
import { Plain } from "../../parts/Plain";

const ROW = 30;
const SEARCHED_FROM = 20;

/** Values of any number, each with its number; only those that are seen are in the page. */
export const LongList = memo(function LongList(props: {
  label: string;
  values: readonly string[];
  code?: boolean;
  /** What can be done with the value at a place. */
  action?: (at: number) => ReactNode;
}) {
  const { label, values, code, action } = props;
  const [typed, setTyped] = useState("");
  const q = useDeferredValue(typed.trim().toLowerCase());
  const found = useMemo(() => {
    const all = values.map((_, at) => at);
    return q === "" ? all : all.filter((at) => values[at]?.toLowerCase().includes(q));
  }, [values, q]);
  return (
    <>
      {values.length > SEARCHED_FROM && (
        <TextInput
          type="search"
          mb="xs"
          maw={320}
          aria-label={`Find in ${label.toLowerCase()}`}
          placeholder={`Find in ${count(values.length)}`}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      {q !== "" && (
        <p role="status" className="minor">
          {count(found.length)} of {count(values.length)}
        </p>
      )}
      <Rows label={label} values={values} shown={found} code={code ?? false} action={action} />
    </>
  );
});

function Rows(props: {
  label: string;
  values: readonly string[];
  shown: readonly number[];
  code: boolean;
  action: ((at: number) => ReactNode) | undefined;
}) {
  const { label, values, shown, code, action } = props;
  const box = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section ref={box} className="long-list" tabIndex={0} aria-label={label}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const at = shown[index] ?? 0;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={shown.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className="long-list-number">{count(at + 1)}</span>
              <span className={code ? "code" : undefined} dir="auto">
                <Plain text={values[at] ?? ""} />
              </span>
              {action?.(at)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
