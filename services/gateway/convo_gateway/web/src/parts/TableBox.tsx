import { type ReactNode, useEffect, useRef, useState } from "react";

/** A box that a wide table scrolls in; where it does, the keyboard can reach it. */
export function TableBox({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () =>
      setScrolls(
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
      );
    const observer = new ResizeObserver(measure);
    for (const watched of [element, ...element.children]) observer.observe(watched);
    return () => observer.disconnect();
  }, []);
  return scrolls ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section ref={box} className="table-box" aria-label={`Table: ${label}`} tabIndex={0}>
      {children}
    </section>
  ) : (
    <section ref={box} className="table-box">
      {children}
    </section>
  );
}
